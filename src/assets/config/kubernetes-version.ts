/** What an all-in-one control plane runs when nobody names a version: the newest that the flag tables know. */
export const defaultKubernetesVersion = '1.36.3';

/** Minors of Kubernetes 1.x whose flags are known; a test holds them to the tables. */
export const oldestTestedMinor = 27;
export const newestTestedMinor = 36;

/** What kubeadm of a minor runs beside the programs of Kubernetes itself. */
export interface CompanionVersions {
  /** Tags of registry.k8s.io/etcd, registry.k8s.io/coredns/coredns and registry.k8s.io/pause. */
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
}

/** The companions of a minor; one outside of the table has those of the nearest in it. */
export function companionsOf(minor: number): CompanionVersions {
  const known = Math.min(newestTestedMinor, Math.max(oldestTestedMinor, minor));
  const found = companions.find(({ since }) => known >= since);
  if (found === undefined) throw new Error(`internal error: no companions of Kubernetes 1.${minor}`);
  return found;
}

/** Newest first. Source: kubernetes/kubernetes cmd/kubeadm/app/constants of the last patch of each minor that was out in 2026-08. */
const companions: readonly (CompanionVersions & { readonly since: number })[] = [
  { since: 36, etcd: '3.6.8-0', coredns: 'v1.14.2', pause: '3.10.2' },
  { since: 35, etcd: '3.6.6-0', coredns: 'v1.13.1', pause: '3.10.1' },
  { since: 34, etcd: '3.6.5-0', coredns: 'v1.12.1', pause: '3.10.1' },
  { since: 33, etcd: '3.5.24-0', coredns: 'v1.12.0', pause: '3.10' },
  { since: 31, etcd: '3.5.24-0', coredns: 'v1.11.3', pause: '3.10' },
  { since: 30, etcd: '3.5.15-0', coredns: 'v1.11.3', pause: '3.9' },
  { since: 29, etcd: '3.5.16-0', coredns: 'v1.11.1', pause: '3.9' },
  { since: 28, etcd: '3.5.15-0', coredns: 'v1.10.1', pause: '3.9' },
  { since: 27, etcd: '3.5.12-0', coredns: 'v1.10.1', pause: '3.9' },
];
