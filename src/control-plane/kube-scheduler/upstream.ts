import { loopbackAddress } from '../../formats/cidr.js';
import type { Container } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { ProgramVersions } from '../../release/flags/check-flags.js';
import { flagArguments } from '../shared/flag-list.js';
import { kubeadmProbes } from '../shared/kubeadm-probes.js';
import { resourceMounts, upstreamPod } from '../shared/static-pod.js';
import type { SchedulerConfig } from './config-model.js';
import { schedulerFlags } from './config.js';
import { mainContainer, port } from './container.js';
import type { SchedulerDialect } from './dialect.js';
import { schedulerRevision } from './revision-objects.js';

export const upstreamScheduler: SchedulerDialect = {
  pod: (inputs, config) =>
    upstreamPod({
      component: 'kube-scheduler',
      containers: [kubernetesContainer(inputs, config)],
      volumes: [],
    }),
  config: ({ networks }) => ({ bindAddress: loopbackAddress(networks.family) }),
  // Only operators read these objects.
  staticObjects: () => [],
  revision: schedulerRevision({ configMaps: [], secrets: [] }),
};

function kubernetesContainer(inputs: LoopInputs, config: SchedulerConfig): Container {
  const { bindAddress: host } = config;
  const at = (path: string) =>
    ({ scheme: 'HTTPS', ...(host !== undefined && { host }), path, port }) as const;
  const { live, ready } = healthPaths(inputs.versions);
  return {
    ...mainContainer,
    image: inputs.images['kube-scheduler'],
    command: ['kube-scheduler'],
    args: flagArguments(schedulerFlags(config)),
    ...kubeadmProbes({ start: at(live), ready: at(ready), live: at(live) }),
    volumeMounts: resourceMounts,
  };
}

/** Kubernetes 1.31 introduced separate liveness and readiness endpoints. Source: k8s.io/kubernetes cmd/kube-scheduler/app/server.go of 1.30 and 1.31 */
function healthPaths({ kubernetesMinor }: ProgramVersions): {
  readonly live: string;
  readonly ready: string;
} {
  return kubernetesMinor >= 31
    ? { live: '/livez', ready: '/readyz' }
    : { live: '/healthz', ready: '/healthz' };
}
