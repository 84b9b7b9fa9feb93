import type { FlaggedProgram } from './flag-table.js';

/**
 * Flags that only OpenShift's fork has, in each of its versions. From openshift/kubernetes: options.go of the controller
 * manager and the scheduler below cmd, cmd/kube-apiserver/app/server.go, and server_run_options.go of its apiserver.
 */
export const openshiftFlags: Readonly<Record<FlaggedProgram, readonly string[]>> = {
  etcd: [],
  'kube-apiserver': ['openshift-config', 'send-retry-after-while-not-ready-once'],
  'kube-controller-manager': ['openshift-config', 'unsupported-kube-api-over-localhost'],
  'kube-scheduler': ['unsupported-kube-api-over-localhost'],
  'kube-proxy': [],
  kubelet: [],
};
