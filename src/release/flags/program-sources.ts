import type { FlaggedProgram } from './flag-table.js';

/**
 * Flags that only OpenShift's fork has, in each of its versions. From openshift/kubernetes: options.go of the controller
 * manager and the scheduler below cmd, cmd/kube-apiserver/app/server.go, and server_run_options.go of its apiserver.
 */
const openshiftFlags: Readonly<Record<FlaggedProgram, readonly string[]>> = {
  etcd: [],
  'kube-apiserver': ['openshift-config', 'send-retry-after-while-not-ready-once'],
  'kube-controller-manager': ['openshift-config', 'unsupported-kube-api-over-localhost'],
  'kube-scheduler': ['unsupported-kube-api-over-localhost'],
  'kube-proxy': [],
  kubelet: [],
};

/** Whose builds of the programs are started: what differs in the names that they know. */
export interface ProgramSource {
  /** Flags beside upstream's, in every version. */
  readonly moreFlags: Readonly<Record<FlaggedProgram, readonly string[]>>;
  /** Whether they end at a feature gate, admission plugin or authorization mode that they do not know; else they warn. */
  readonly endsAtUnknownNames: boolean;
}

/** Upstream's programs, and those of OpenShift's fork. */
export const programSources: Readonly<Record<'OpenShift' | 'Kubernetes', ProgramSource>> = {
  OpenShift: { moreFlags: openshiftFlags, endsAtUnknownNames: false },
  Kubernetes: {
    moreFlags: {
      etcd: [],
      'kube-apiserver': [],
      'kube-controller-manager': [],
      'kube-scheduler': [],
      'kube-proxy': [],
      kubelet: [],
    },
    endsAtUnknownNames: true,
  },
};
