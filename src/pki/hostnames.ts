import type { ApiServerNames, Networks, NodeIdentity, Profile } from '../config/cluster-names.js';
import { byCodeUnit } from '../core/compare.js';
import { formatAddress, nthHost, parseCidr } from '../formats/cidr.js';

/** Names in certificates that differ between clusters with and without operators. */
export interface Naming {
  /** Service names of the API. */
  readonly services: readonly string[];
  /** Host name and addresses of loopback. */
  readonly loopback: readonly string[];
  /** Host names and addresses of etcd in addition to loopback. */
  readonly etcd: (node: NodeIdentity) => readonly string[];
  /** Common name of kube-apiserver's client certificate for aggregated API servers. */
  readonly proxyClient: string;
}

export const namings: Readonly<Record<Profile, Naming>> = {
  OpenShift: {
    services: ['kubernetes', 'openshift'],
    // The operator reissues a certificate whose names differ from its own list, which has no IPv6 address.
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
    // etcd listens on loopback only.
    etcd: () => [],
    // Source: kubeadm
    proxyClient: 'front-proxy-client',
  },
};

/** Input of the host names in a certificate. */
export interface HostnameFacts {
  readonly naming: Naming;
  readonly node: NodeIdentity;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
}

/** The API's service names, and the first address of each service network. */
export function apiServiceNames({ networks, naming }: HostnameFacts): readonly string[] {
  const suffixes = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
  const names = naming.services.flatMap((service) => suffixes.map((suffix) => `${service}${suffix}`));
  return [...names, ...networks.serviceNetwork.map((cidr) => hostOf(cidr, 1))];
}

/** Host names of etcd's certificates, in byte order; the node's host name is not included. */
export function etcdServerNames({ node, naming }: HostnameFacts): readonly string[] {
  const names = ['localhost', '127.0.0.1', '::1', ...naming.etcd(node)];
  return [...new Set(names)].toSorted(byCodeUnit);
}

/** The address at `index` in a network that has been validated. */
function hostOf(text: string, index: number): string {
  const cidr = parseCidr(text);
  const address = cidr && nthHost(cidr, index);
  if (address === undefined)
    throw new Error(`internal error: ${text} passed the checks and has no address ${index}`);
  return formatAddress(address);
}
