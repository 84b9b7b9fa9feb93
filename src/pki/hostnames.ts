import type { ApiServerNames, Networks, NodeIdentity, Profile } from '../config/cluster-names.js';
import { byCodeUnit } from '../core/compare.js';
import { formatAddress, nthHost, parseCidr } from '../formats/cidr.js';

/** What certificates are called where operators look after them, and where nobody does. */
export interface Naming {
  /** Services of the API. */
  readonly services: readonly string[];
  /** What loopback is called. */
  readonly loopback: readonly string[];
  /** What etcd is called beside loopback. */
  readonly etcd: (node: NodeIdentity) => readonly string[];
  /** Whom aggregated servers know kube-apiserver as. */
  readonly proxyClient: string;
}

/** One for each profile. */
export const namings: Readonly<Record<Profile, Naming>> = {
  OpenShift: {
    services: ['kubernetes', 'openshift'],
    // The operator issues a certificate anew whose set of names is another than its own, which has no IPv6 address.
    // Source: cluster-kube-apiserver-operator pkg/operator/certrotationcontroller
    loopback: ['localhost', '127.0.0.1'],
    // Source: cluster-etcd-operator pkg/tlshelpers
    etcd: ({ ip }) => [
      ...['etcd.kube-system.svc', 'etcd.openshift-etcd.svc'].flatMap((service) => [
        service,
        `${service}.cluster.local`,
      ]),
      ip,
    ],
    proxyClient: 'system:openshift-aggregator',
  },
  Kubernetes: {
    services: ['kubernetes'],
    loopback: ['localhost', '127.0.0.1', '::1'],
    // It listens on loopback only, and needs no other address.
    etcd: () => [],
    // The name that kubeadm uses.
    proxyClient: 'front-proxy-client',
  },
};

/** What the names of a certificate are made from. */
export interface HostnameFacts {
  readonly naming: Naming;
  readonly node: NodeIdentity;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
}

/** The names of the API inside the cluster, and the first address of each service network. */
export function apiServiceNames({ networks, naming }: HostnameFacts): readonly string[] {
  const suffixes = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
  const names = naming.services.flatMap((service) => suffixes.map((suffix) => `${service}${suffix}`));
  return [...names, ...networks.serviceNetwork.map((cidr) => hostOf(cidr, 1))];
}

/** What etcd's certificates are valid for, in byte order; the host's name is not among them. */
export function etcdServerNames({ node, naming }: HostnameFacts): readonly string[] {
  const names = ['localhost', '127.0.0.1', '::1', ...naming.etcd(node)];
  return [...new Set(names)].toSorted(byCodeUnit);
}

/** An address of a network that passed the checks, counted from its first. */
function hostOf(text: string, index: number): string {
  const cidr = parseCidr(text);
  const address = cidr && nthHost(cidr, index);
  if (address === undefined)
    throw new Error(`internal error: ${text} passed the checks and has no address ${index}`);
  return formatAddress(address);
}
