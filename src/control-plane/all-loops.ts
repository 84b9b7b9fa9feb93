import type { ControlPlaneInputs } from '../loops/loop-inputs.js';
import type { Pipeline } from '../loops/pipeline.js';
import { etcdLoops, etcdRevision } from './etcd/etcd-loops.js';
import { kubeApiserverLoops, kubeApiserverRevision } from './kube-apiserver/kube-apiserver-loops.js';
import {
  kubeControllerManagerLoops,
  kubeControllerManagerRevision,
} from './kube-controller-manager/kube-controller-manager-loops.js';
import { kubeSchedulerLoops, kubeSchedulerRevision } from './kube-scheduler/kube-scheduler-loops.js';

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
