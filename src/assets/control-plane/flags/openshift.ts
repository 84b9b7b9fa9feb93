import type { FlaggedProgram } from './flag-table.js';

/**
 * Flags that the programs have in OpenShift's fork of Kubernetes only.
 * From openshift/kubernetes, cmd/<program>/app/options and staging/src/k8s.io/apiserver/pkg/server/options.
 */
export const openshiftFlags: Readonly<Record<FlaggedProgram, readonly string[]>> = {
  etcd: [],
  'kube-apiserver': ['openshift-config', 'send-retry-after-while-not-ready-once'],
  'kube-controller-manager': ['openshift-config', 'unsupported-kube-api-over-localhost'],
  'kube-scheduler': ['unsupported-kube-api-over-localhost'],
  'kube-proxy': [],
  kubelet: [],
};
