import type { HttpGet, Probes } from '../../kube/pod-object.js';

/** Endpoints of the three probes. The container is ready once it has started if `ready` is absent. */
interface ProbeEndpoints {
  readonly start: HttpGet;
  readonly ready?: HttpGet;
  readonly live: HttpGet;
}

/** Probes with kubeadm's timing: four minutes to start. Source: cmd/kubeadm/app/util/staticpod/utils.go */
export function kubeadmProbes({ start, ready, live }: ProbeEndpoints): Probes {
  const slow = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 };
  return {
    startupProbe: { httpGet: start, ...slow, failureThreshold: 24 },
    ...(ready && {
      readinessProbe: { httpGet: ready, periodSeconds: 1, timeoutSeconds: 15, failureThreshold: 3 },
    }),
    livenessProbe: { httpGet: live, ...slow, failureThreshold: 8 },
  };
}
