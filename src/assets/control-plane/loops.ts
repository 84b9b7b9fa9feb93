import { etcdLoops, etcdRevision } from './etcd/loops.js';
import { kubeApiserverLoops, kubeApiserverRevision } from './kube-apiserver/loops.js';
import {
  kubeControllerManagerLoops,
  kubeControllerManagerRevision,
} from './kube-controller-manager/loops.js';
import { kubeSchedulerLoops, kubeSchedulerRevision } from './kube-scheduler/loops.js';
import type { ControlPlaneInputs } from './inputs.js';
import type { Pipeline } from './pipeline.js';

/** The loops by name in the order of their first runs, each after its component. */
export function loopTitles(): readonly string[] {
  const { loops, revisioned } = controlPlanePipeline({ profile: 'OpenShift' });
  const titled = [...loops.flatMap(({ first }) => first), ...loops.flatMap(({ settling }) => settling)];
  return [
    ...titled.map(({ component, name }) => `${component}: ${name}`),
    ...revisioned.flatMap(({ component }) => [`${component}: revision`, `${component}: installer`]),
  ];
}

/** The whole pipeline: etcd, whose certificates the API server needs, then the others as their operators start. */
export function controlPlanePipeline(inputs: Pick<ControlPlaneInputs, 'profile'>): Pipeline {
  return {
    loops: [etcdLoops, kubeApiserverLoops, kubeControllerManagerLoops, kubeSchedulerLoops],
    revisioned: [
      etcdRevision(inputs),
      kubeApiserverRevision(inputs),
      kubeControllerManagerRevision(inputs),
      kubeSchedulerRevision(inputs),
    ],
  };
}
