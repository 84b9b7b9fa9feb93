import type { FlaggedProgram } from './flag-table.js';

/**
 * Flags that only OpenShift's fork has, in all of its versions. Source: openshift/kubernetes, options.go of the controller
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

/** The differences between builds of the control-plane programs. */
export interface ProgramSource {
  /** Flags in addition to upstream's, in every version. */
  readonly moreFlags: Readonly<Record<FlaggedProgram, readonly string[]>>;
  /** Whether the programs exit on an unknown feature gate, admission plugin or authorization mode; otherwise they log a warning. */
  readonly endsAtUnknownNames: boolean;
}

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
