/** Versions of the images that kubeadm of Kubernetes 1.x runs in addition to the Kubernetes programs. */
export interface KubernetesRelease {
  /** The x of Kubernetes 1.x. */
  readonly minor: number;
  /** Tags of registry.k8s.io/etcd, registry.k8s.io/coredns/coredns and registry.k8s.io/pause. */
  readonly etcd: string;
  readonly coredns: string;
  readonly pause: string;
}

/** Default version of an all-in-one control plane: the newest minor in the flag tables. */
export const defaultKubernetesVersion = '1.36.3';

/** Newest first. Source: kubernetes/kubernetes cmd/kubeadm/app/constants of the last patch of each minor as of 2026-08. */
const rows: readonly KubernetesRelease[] = [
  { minor: 36, etcd: '3.6.8-0', coredns: 'v1.14.2', pause: '3.10.2' },
  { minor: 35, etcd: '3.6.6-0', coredns: 'v1.13.1', pause: '3.10.1' },
  { minor: 34, etcd: '3.6.5-0', coredns: 'v1.12.1', pause: '3.10.1' },
  { minor: 33, etcd: '3.5.24-0', coredns: 'v1.12.0', pause: '3.10' },
  { minor: 32, etcd: '3.5.24-0', coredns: 'v1.11.3', pause: '3.10' },
  { minor: 31, etcd: '3.5.24-0', coredns: 'v1.11.3', pause: '3.10' },
  { minor: 30, etcd: '3.5.15-0', coredns: 'v1.11.3', pause: '3.9' },
  { minor: 29, etcd: '3.5.16-0', coredns: 'v1.11.1', pause: '3.9' },
  { minor: 28, etcd: '3.5.15-0', coredns: 'v1.10.1', pause: '3.9' },
  { minor: 27, etcd: '3.5.12-0', coredns: 'v1.10.1', pause: '3.9' },
];

/** Minors of Kubernetes 1.x with known flags, oldest first. A test compares them with the flag tables. */
export const knownKubernetesMinors: readonly number[] = rows.map(({ minor }) => minor).toReversed();

const [oldest = 0, newest = 0] = [knownKubernetesMinors[0], knownKubernetesMinors.at(-1)];

/** The range of known minors for messages, such as `1.27 to 1.36`. */
export const knownKubernetesText = `1.${oldest} to 1.${newest}`;

/** The row of a minor, or the nearest row for a minor outside the table. */
export function kubernetesReleaseOf(minor: number): KubernetesRelease {
  const known = Math.min(newest, Math.max(oldest, minor));
  const found = rows.find((row) => row.minor <= known);
  if (found === undefined) throw new Error(`internal error: no row of Kubernetes 1.${minor}`);
  return found;
}
