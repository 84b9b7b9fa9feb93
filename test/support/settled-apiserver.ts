import { dialects } from '../../src/control-plane/dialects.js';
import { etcdLoops } from '../../src/control-plane/etcd/etcd-loops.js';
import type { ControlPlaneInputs } from '../../src/control-plane/loops/loop-inputs.js';
import { installedFiles } from '../../src/control-plane/loops/installer.js';
import { kubeApiserverLoops } from '../../src/control-plane/kube-apiserver/kube-apiserver-loops.js';
import type { ApiserverConfig } from '../../src/control-plane/kube-apiserver/config-model.js';
import { runPipeline, type PipelineResult } from '../../src/control-plane/loops/pipeline.js';
import { createStore } from '../../src/control-plane/loops/store.js';
import type { KubeObject } from '../../src/kube/object.js';
import { controlPlaneInputs, type ControlPlaneCase } from './control-plane.js';
import { apiserverConfigIn } from './dialects.js';

/** The results of the etcd and kube-apiserver loops, from their seeds or from other objects. */
export function settledApiserver(
  inputs: ControlPlaneInputs,
  objects: readonly KubeObject[] = inputs.seeds,
): PipelineResult {
  const { etcd, apiserver } = dialects[inputs.profile];
  const settled = runPipeline(
    {
      loops: [etcdLoops(etcd), kubeApiserverLoops(apiserver)],
      revisioned: [etcd.revision, apiserver.revision],
    },
    inputs,
    createStore(objects),
  );
  if (!settled.ok) throw new Error('the loops do not reach a stable state');
  return settled.value;
}

/** The kube-apiserver config after the loops have settled. */
export async function apiserverConfigOf(given: ControlPlaneCase): Promise<ApiserverConfig> {
  const inputs = await controlPlaneInputs(given);
  return apiserverConfigIn(inputs, settledApiserver(inputs).store);
}

/** The kube-apiserver files on the node's disk, by path. */
export function apiserverFiles(inputs: ControlPlaneInputs): ReadonlyMap<string, string> {
  const { store } = settledApiserver(inputs);
  const files = installedFiles(store, dialects[inputs.profile].apiserver.revision, inputs.node);
  return new Map(files.map(({ path, contents }) => [path, String(contents)]));
}
