import type { NamesByRange } from './known-names.js';
import { flagsByRange } from './tables.generated.js';

/** A program with a flag table. */
export type FlaggedProgram =
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kube-proxy' | 'kubelet';

/** Flags without leading dashes, by the minor versions that have them: 1.x of Kubernetes, 3.x of etcd. */
export const flagTables: Readonly<Record<FlaggedProgram, NamesByRange>> = flagsByRange;
