import { success, type Result } from '../../core/result.js';
import type { NodeFile } from '../../ignition/types.js';
import type { ControlPlaneInputs } from './inputs.js';
import { installedFiles } from './installer.js';
import { controlPlanePipeline } from './loops.js';
import { runPipeline, type Settled } from './pipeline.js';
import { storeOf } from './store.js';

/** A control plane: every object the loops made, and what the installer step lays of them on the disk. */
export interface RenderedControlPlane extends Settled {
  /** Static pods and all that they mount, by absolute path, sorted by component. */
  readonly files: readonly NodeFile[];
}

/** Runs the loops of all components over the seeds and lays their static pods. Problems: control-plane/unsettled. */
export function renderControlPlane(inputs: ControlPlaneInputs): Result<RenderedControlPlane> {
  const pipeline = controlPlanePipeline(inputs);
  const settled = runPipeline(pipeline, inputs, storeOf(inputs.seeds));
  if (!settled.ok) return settled;
  const { store } = settled.value;
  const files = pipeline.revisioned.flatMap((objects) => installedFiles(store, objects, inputs.node));
  return success({ ...settled.value, files });
}
