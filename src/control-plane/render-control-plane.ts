import { success, type Result } from '../core/result.js';
import type { NodeFile } from '../ignition/types.js';
import { installedFiles } from './loops/installer.js';
import type { ControlPlaneInputs } from './loops/loop-inputs.js';
import { runPipeline, type PipelineResult } from './loops/pipeline.js';
import { createStore } from './loops/store.js';
import { controlPlanePipeline } from './all-loops.js';
import { dialects } from './dialects.js';

/** A control plane: all objects of the loops, and the files that the installer step writes from them. */
export interface RenderedControlPlane extends PipelineResult {
  /** Static pods and the files they mount, by absolute path, sorted by component. */
  readonly files: readonly NodeFile[];
}

/** Runs the loops of all components over the seeds and renders the files of their static pods. Problems: control-plane/unsettled. */
export function renderControlPlane(inputs: ControlPlaneInputs): Result<RenderedControlPlane> {
  const pipeline = controlPlanePipeline(dialects[inputs.profile]);
  const settled = runPipeline(pipeline, inputs, createStore(inputs.seeds));
  if (!settled.ok) return settled;
  const { store } = settled.value;
  const files = pipeline.revisioned.flatMap((objects) => installedFiles(store, objects, inputs.node));
  return success({ ...settled.value, files });
}
