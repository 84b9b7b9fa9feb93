import type { EnvironmentVariable, FieldPath, HttpGet, Pod, Probes, Volume } from '../../kube/pod-object.js';
import { mainContainerFields, resourceMounts } from '../shared/static-pod.js';
import { logFolder } from './log-folder.js';
import { gracefulTerminationSeconds } from './observation.js';

/** hostPath volumes of the pods of both dialects. */
export const volumes: readonly Volume[] = [
  { name: 'audit-dir', hostPath: { path: logFolder, type: 'DirectoryOrCreate' } },
  { name: 'tmp-dir', emptyDir: {} },
];

/** Sets the pod's termination grace period. */
export function withGracePeriod(pod: Pod): Pod {
  return { ...pod, spec: { ...pod.spec, terminationGracePeriodSeconds: gracefulTerminationSeconds } };
}

/** Fields of the main container in both dialects. */
export const mainContainer = {
  ...mainContainerFields('kube-apiserver', { port: 6443, requests: { cpu: '265m', memory: '1Gi' } }),
  volumeMounts: [
    ...resourceMounts,
    { name: 'audit-dir', mountPath: logFolder },
    { name: 'tmp-dir', mountPath: '/tmp' },
  ],
} as const;

/**
 * Probes of `host`, or of the pod's address if undefined. The liveness probe excludes etcd: a restart of etcd would otherwise
 * kill kube-apiserver, which recovers from it without a restart.
 */
export function probesAt(host: string | undefined): Probes {
  const get = (path: string): { readonly httpGet: HttpGet } => ({
    httpGet: { scheme: 'HTTPS', ...(host !== undefined && { host }), path, port: 6443 },
  });
  return {
    startupProbe: {
      ...get('livez'),
      initialDelaySeconds: 0,
      periodSeconds: 5,
      timeoutSeconds: 10,
      failureThreshold: 30,
    },
    readinessProbe: {
      ...get('readyz'),
      initialDelaySeconds: 0,
      periodSeconds: 5,
      timeoutSeconds: 10,
      failureThreshold: 3,
    },
    livenessProbe: {
      ...get('livez?exclude=etcd'),
      initialDelaySeconds: 0,
      periodSeconds: 10,
      timeoutSeconds: 10,
      failureThreshold: 3,
    },
  };
}

/** An environment variable whose value is a field of the pod. */
export function fieldVariable(name: string, fieldPath: FieldPath): EnvironmentVariable {
  return { name, valueFrom: { fieldRef: { fieldPath } } };
}
