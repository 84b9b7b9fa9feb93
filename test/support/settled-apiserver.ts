import { dialects } from '../../src/control-plane/dialects.js';
import { etcdLoops } from '../../src/control-plane/etcd/etcd-loops.js';
import type { ControlPlaneInputs } from '../../src/control-plane/loops/loop-inputs.js';
import { installedFiles } from '../../src/control-plane/loops/installer.js';
import { kubeApiserverLoops } from '../../src/control-plane/kube-apiserver/kube-apiserver-loops.js';
import type { ApiserverConfig } from '../../src/control-plane/kube-apiserver/config-model.js';
import { runPipeline, type Settled } from '../../src/control-plane/loops/pipeline.js';
import { storeOf } from '../../src/control-plane/loops/store.js';
import type { KubeObject } from '../../src/kube/object.js';
import { controlPlaneInputs, type ControlPlaneCase } from './control-plane.js';
import { apiserverConfigIn } from './dialects.js';

/** What the loops of etcd and kube-apiserver make of inputs, from their seeds or from other objects. */
export function settledApiserver(
  inputs: ControlPlaneInputs,
  objects: readonly KubeObject[] = inputs.seeds,
): Settled {
  const { etcd, apiserver } = dialects[inputs.profile];
  const settled = runPipeline(
    {
      loops: [etcdLoops(etcd), kubeApiserverLoops(apiserver)],
      revisioned: [etcd.revision, apiserver.revision],
    },
    inputs,
    storeOf(objects),
  );
  if (!settled.ok) throw new Error('the loops do not settle');
  return settled.value;
}

/** What kube-apiserver is told once the loops have settled. */
export async function apiserverConfigOf(given: ControlPlaneCase): Promise<ApiserverConfig> {
  const inputs = await controlPlaneInputs(given);
  return apiserverConfigIn(inputs, settledApiserver(inputs).store);
}

/** What is laid on the disk for kube-apiserver, by path. */
export function apiserverFiles(inputs: ControlPlaneInputs): ReadonlyMap<string, string> {
  const { store } = settledApiserver(inputs);
  const files = installedFiles(store, dialects[inputs.profile].apiserver.revision, inputs.node);
  return new Map(files.map(({ path, contents }) => [path, String(contents)]));
}
