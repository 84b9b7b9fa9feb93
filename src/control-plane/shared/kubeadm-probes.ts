import type { HttpGet, Probes } from '../../kube/pod-object.js';

/** What is asked of a program of upstream's; without `ready` it counts as ready once it has started. */
interface Questions {
  readonly start: HttpGet;
  readonly ready?: HttpGet;
  readonly live: HttpGet;
}

/** Probes with the times of kubeadm: four minutes to start. Source: cmd/kubeadm/app/util/staticpod/utils.go */
export function kubeadmProbes({ start, ready, live }: Questions): Probes {
  const slow = { initialDelaySeconds: 10, periodSeconds: 10, timeoutSeconds: 15 };
  return {
    startupProbe: { httpGet: start, ...slow, failureThreshold: 24 },
    ...(ready && {
      readinessProbe: { httpGet: ready, periodSeconds: 1, timeoutSeconds: 15, failureThreshold: 3 },
    }),
    livenessProbe: { httpGet: live, ...slow, failureThreshold: 8 },
  };
}
