import { quoted } from '../../../core/quoted.js';
import {
  contains,
  formatCidr,
  isNetwork,
  nthHost,
  overlaps,
  parseAddress,
  parseCidr,
  type Cidr,
} from '../../../formats/cidr.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { nameOf, networksOf, readNetworksOf, type ReadNetwork } from './networks.js';

const everyCidr = [
  'networking.machineNetwork[].cidr',
  'networking.serviceNetwork[]',
  'networking.clusterNetwork[].cidr',
];

/** Rules on the addresses of the cluster's networks. */
export const networkAddressRules: readonly InstallRule[] = [
  {
    number: 20,
    fields: ['networking.machineNetwork', 'networking.serviceNetwork', 'networking.clusterNetwork'],
    text: 'An empty list of networks means the default.',
    origin: 'openshift-install',
  },
  {
    number: 21,
    fields: everyCidr,
    text: 'A network is written as address/prefix; its address is not zero and its host bits are.',
    origin: 'openshift-install',
    check: ({ config }) =>
      networksOf(config.networking).flatMap(({ text, path }) =>
        cidrFault(text).map((fault) => ({ ...fault, path })),
      ),
  },
  {
    number: 22,
    fields: everyCidr,
    text: 'A network does not overlap 172.17.0.0/16, the default of Docker bridges (a warning).',
    origin: 'openshift-install',
    check: dockerBridge,
  },
  {
    number: 23,
    fields: everyCidr,
    text: 'With OVNKubernetes, a network does not overlap its internal networks: 100.64.0.0/16 (or internalJoinSubnet), 100.88.0.0/16, 169.254.0.0/17, fd98::/64, fd97::/64, fd69::/112.',
    origin: 'openshift-install',
    check: reserved,
  },
  {
    number: 24,
    fields: everyCidr,
    text: 'The networks do not overlap each other.',
    origin: 'openshift-install',
    check: eachOther,
  },
  {
    number: 25,
    fields: ['networking.machineNetwork[].cidr'],
    text: 'A machine network is not in 192.0.2.0/24 or 2001:db8::/32, which the render command of the etcd operator rejects.',
    origin: 'sno-install',
    check: documentation,
  },
];

/** Checks the CIDR notation of a network. The caller adds the path. */
export function cidrFault(text: string): readonly Omit<Finding, 'path'>[] {
  const code = 'config/network-address';
  const cidr = parseCidr(text);
  if (!cidr) {
    const hint = parseAddress(text)
      ? 'add the prefix length, such as /24'
      : 'write it as 192.168.126.0/24 or fd2e:6f44:5dd8::/64';
    return [{ code, message: `${quoted(text)} is not a network in CIDR notation`, hint }];
  }
  if (cidr.first === 0n)
    return [{ code, message: `${text} does not name a network: its address is all zero` }];
  if (isNetwork(cidr)) return [];
  return [{ code, message: `${text} has host bits set`, hint: `write "${formatCidr(cidr)}"` }];
}

/** Docker's default network. Source: openshift/installer pkg/validate */
const bridge = network('172.17.0.0/16');

function dockerBridge({ config }: InstallSubject): readonly Finding[] {
  return readNetworksOf(config.networking)
    .filter(({ cidr }) => overlaps(cidr, bridge))
    .map(({ text, path }) => ({
      code: 'config/network-docker-bridge',
      path,
      message: `${text} overlaps ${formatCidr(bridge)}, the default of the Docker bridge`,
    }));
}

/** Source: ovn-kubernetes go-controller pkg/config, defaults; openshift/installer pkg/types/validation. */
const ovnNetworks: readonly { readonly use: string; readonly cidr: Cidr }[] = [
  { use: 'transit switch network', cidr: network('100.88.0.0/16') },
  { use: 'masquerade network', cidr: network('169.254.0.0/17') },
  { use: 'join network', cidr: network('fd98::/64') },
  { use: 'transit switch network', cidr: network('fd97::/64') },
  { use: 'masquerade network', cidr: network('fd69::/112') },
];

/** Source: ovn-kubernetes go-controller pkg/config, V4JoinSubnet. */
const defaultJoin = { use: 'join network', cidr: network('100.64.0.0/16') };

function reserved({ config }: InstallSubject): readonly Finding[] {
  const { networkType, ovnKubernetesConfig } = config.networking;
  if (networkType !== 'OVNKubernetes') return [];
  const join = ovnKubernetesConfig?.ipv4?.internalJoinSubnet;
  const reserved = [...(join === undefined ? [defaultJoin] : []), ...ovnNetworks];
  return readNetworksOf(config.networking).flatMap(({ text, path, cidr }) =>
    reserved
      .filter((other) => overlaps(cidr, other.cidr))
      .map((other) => ({
        code: 'config/network-reserved' as const,
        path,
        message: `${text} overlaps ${formatCidr(other.cidr)}, which OVN-Kubernetes uses as its ${other.use}`,
        hint:
          other === defaultJoin
            ? 'use another network, or set networking.ovnKubernetesConfig.ipv4.internalJoinSubnet'
            : 'use another network',
      })),
  );
}

function eachOther({ config }: InstallSubject): readonly Finding[] {
  const networks = readNetworksOf(config.networking);
  return networks.flatMap((network, index) =>
    networks
      .slice(0, index)
      .filter((earlier) => overlaps(earlier.cidr, network.cidr))
      .map((earlier) => overlapping(network, earlier)),
  );
}

function overlapping(network: ReadNetwork, other: ReadNetwork): Finding {
  return {
    code: 'config/network-overlap',
    path: network.path,
    message: `${nameOf(network)} ${network.text} overlaps ${nameOf(other)} ${other.text}`,
    with: [other.path],
  };
}

/** Sources: openshift/cluster-etcd-operator pkg/cmd/render and library-go networking checks; RFC 5737, RFC 3849. */
const documentationNetworks = [network('192.0.2.0/24'), network('2001:db8::/32')];

function documentation({ config }: InstallSubject): readonly Finding[] {
  return readNetworksOf(config.networking)
    .filter(
      ({ list, cidr }) =>
        list === 'machineNetwork' && documentationNetworks.some((each) => startsIn(cidr, each)),
    )
    .map(({ path, text }) => ({
      code: 'config/network-documentation',
      path,
      message: `${text} is reserved for documentation, and the etcd operator rejects it`,
      hint: 'use the network that the node is in',
    }));
}

function startsIn(cidr: Cidr, outer: Cidr): boolean {
  const first = nthHost(cidr, 0);
  return first !== undefined && contains(outer, first);
}

function network(text: string): Cidr {
  const cidr = parseCidr(text);
  if (!cidr) throw new Error(`internal error: ${text} is not a network`);
  return cidr;
}
