import { openshiftFlags } from './fork-flags.js';
import type { FlaggedProgram } from './flag-table.js';

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
