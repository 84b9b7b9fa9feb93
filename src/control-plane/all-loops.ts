import type { Pipeline } from './loops/pipeline.js';
import { dialects, type Dialect } from './dialects.js';
import { etcdLoops } from './etcd/etcd-loops.js';
import { kubeApiserverLoops } from './kube-apiserver/kube-apiserver-loops.js';
import { kubeControllerManagerLoops } from './kube-controller-manager/kube-controller-manager-loops.js';
import { kubeSchedulerLoops } from './kube-scheduler/kube-scheduler-loops.js';

/** Loop titles as `<component>: <loop>`, in the order of their first runs. */
export function loopTitles(): readonly string[] {
  const { loops, revisioned } = controlPlanePipeline(dialects.OpenShift);
  const titled = [...loops.flatMap(({ first }) => first), ...loops.flatMap(({ settling }) => settling)];
  return [
    ...titled.map(({ component, name }) => `${component}: ${name}`),
    ...revisioned.flatMap(({ component }) => [`${component}: revision`, `${component}: installer`]),
  ];
}

/** The pipeline of all components: etcd first, since kube-apiserver needs its certificates; then in the order in which the operators start. */
export function controlPlanePipeline({ etcd, apiserver, controllerManager, scheduler }: Dialect): Pipeline {
  return {
    loops: [
      etcdLoops(etcd),
      kubeApiserverLoops(apiserver),
      kubeControllerManagerLoops(controllerManager),
      kubeSchedulerLoops(scheduler),
    ],
    revisioned: [etcd, apiserver, controllerManager, scheduler].map(({ revision }) => revision),
  };
}
