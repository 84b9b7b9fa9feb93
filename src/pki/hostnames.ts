import type { ApiServerNames, Networks, NodeIdentity, Profile } from '../config/cluster-names.js';
import { byCodeUnit } from '../core/compare.js';
import { formatAddress, nthHost, parseCidr } from '../formats/cidr.js';

/** What the names of a certificate are made from. */
export interface HostnameFacts {
  readonly profile: Profile;
  readonly node: NodeIdentity;
  readonly networks: Networks;
  readonly apiServer: ApiServerNames;
}

/** The names of the API inside the cluster, and the first address of each service network. */
export function apiServiceNames({ networks, profile }: HostnameFacts): readonly string[] {
  const services = profile === 'OpenShift' ? ['kubernetes', 'openshift'] : ['kubernetes'];
  const suffixes = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
  const names = services.flatMap((service) => suffixes.map((suffix) => `${service}${suffix}`));
  return [...names, ...networks.serviceNetwork.map((cidr) => hostOf(cidr, 1))];
}

/**
 * What loopback is called. The operator issues a certificate anew whose set of names is another than its own, which has no
 * IPv6 address. Source: cluster-kube-apiserver-operator pkg/operator/certrotationcontroller
 */
export function loopbackNames({ profile }: Pick<HostnameFacts, 'profile'>): readonly string[] {
  return ['localhost', '127.0.0.1', ...(profile === 'OpenShift' ? [] : ['::1'])];
}

/**
 * What etcd's certificates are valid for, in byte order; the host's name is not among them. Without operators etcd listens
 * on loopback only, and needs no other address. Source: cluster-etcd-operator pkg/tlshelpers
 */
export function etcdServerNames({ node, profile }: HostnameFacts): readonly string[] {
  const services = ['etcd.kube-system.svc', 'etcd.openshift-etcd.svc'];
  const ofServices = services.flatMap((service) => [service, `${service}.cluster.local`]);
  const always = ['localhost', '127.0.0.1', '::1'];
  const names = profile === 'OpenShift' ? [...always, ...ofServices, node.ip] : always;
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
