import { closest } from '../../../core/suggest.js';
import { flagsByRange } from './tables.generated.js';

export type FlaggedProgram =
  'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler' | 'kube-proxy' | 'kubelet';

/** The first minor version 1.x of Kubernetes that the tables know, that of OpenShift 4.14. */
export const oldestKubernetesMinor = 27;

/** The last minor version 1.x of Kubernetes that the tables know, that of OpenShift 4.23. */
export const newestKubernetesMinor = 36;

/** The names of one kind by the versions that know them, both ends included: `27-32` to names apart by white space. */
export type NamesByRange = Readonly<Record<string, string>>;
