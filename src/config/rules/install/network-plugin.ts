import { quoted } from '../../../core/quoted.js';
import { editDistance } from '../../../core/suggest.js';
import { addressBits, isNetwork, overlaps, parseCidr, type Cidr } from '../../../formats/cidr.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';
import { cidrFault } from './network-addresses.js';
import { nameOf, readNetworksOf } from './networks.js';

export const networkPluginRules: readonly InstallRule[] = [
  {
    number: 30,
    fields: ['networking.networkType'],
    text: 'networkType is neither Kuryr nor OpenShiftSDN, which were removed.',
    origin: 'openshift-install',
    check: networkType,
  },
  {
    number: 31,
    fields: ['networking.clusterNetworkMTU'],
    text: 'clusterNetworkMTU is 0 or left out on platform none.',
    origin: 'openshift-install',
    check: mtu,
  },
  {
    number: 32,
    fields: ['networking.ovnKubernetesConfig'],
    text: 'ovnKubernetesConfig is set only with networkType OVNKubernetes.',
    origin: 'openshift-install',
    check: ovnConfig,
  },
  {
    number: 33,
    fields: ['networking.ovnKubernetesConfig.ipv4.internalJoinSubnet'],
    text: 'internalJoinSubnet is an IPv4 network that overlaps no other network and has an address for each node that fits into the cluster network.',
    origin: 'openshift-install',
    check: joinSubnet,
  },
];

const removedPlugins: readonly string[] = ['Kuryr', 'OpenShiftSDN'];

function networkType({ config }: InstallSubject): readonly Finding[] {
  const given = config.networking.networkType;
  const place = { code: 'config/network-type' as const, path: ['networking', 'networkType'] };
  if (removedPlugins.includes(given))
    return [
      { ...place, message: `networkType ${given} was removed from OpenShift`, hint: 'use OVNKubernetes' },
    ];
  // Up to three edits from the default plugin's name is a typing error, not another plugin.
  const isSlip = given !== 'OVNKubernetes' && editDistance(given.toLowerCase(), 'ovnkubernetes') <= 3;
  if (!isSlip) return [];
  return [
    {
      ...place,
      message: `networkType ${quoted(given)} is not a network plugin`,
      hint: 'did you mean "OVNKubernetes"?',
    },
  ];
}

function mtu({ input }: InstallSubject): readonly Finding[] {
  const given = input.networking?.clusterNetworkMTU ?? 0;
  if (given === 0) return [];
  return [
    {
      code: 'config/not-for-single-node',
      path: ['networking', 'clusterNetworkMTU'],
      message: 'clusterNetworkMTU is supported only on AWS',
      hint: 'remove it',
    },
  ];
}

function ovnConfig({ config }: InstallSubject): readonly Finding[] {
  const { networkType: type, ovnKubernetesConfig } = config.networking;
  if (ovnKubernetesConfig === undefined || type === 'OVNKubernetes') return [];
  return [
    {
      code: 'config/join-subnet',
      path: ['networking', 'ovnKubernetesConfig'],
      message: `ovnKubernetesConfig has no effect with networkType ${quoted(type)}`,
      hint: 'remove it',
    },
  ];
}

function joinSubnet({ config }: InstallSubject): readonly Finding[] {
  const text = config.networking.ovnKubernetesConfig?.ipv4?.internalJoinSubnet;
  if (text === undefined) return [];
  const path = ['networking', 'ovnKubernetesConfig', 'ipv4', 'internalJoinSubnet'];
  const place = { code: 'config/join-subnet' as const, path };
  const faults = cidrFault(text).map((fault) => ({ ...fault, ...place }));
  const cidr = parseCidr(text);
  if (faults.length > 0 || !cidr || !isNetwork(cidr)) return faults;
  if (cidr.family !== 'IPv4')
    return [{ ...place, message: `internalJoinSubnet ${text} must be an IPv4 network` }];
  const overlapping = readNetworksOf(config.networking)
    .filter((network) => overlaps(network.cidr, cidr))
    .map((network) => ({
      ...place,
      message: `internalJoinSubnet ${text} overlaps ${nameOf(network)} ${network.text}`,
      with: [network.path],
    }));
  if (overlapping.length > 0) return overlapping;
  if (nodesOf(config.networking.clusterNetwork) < roomOf(cidr)) return [];
  return [
    {
      ...place,
      message: `internalJoinSubnet ${text} has fewer addresses than the cluster network can have nodes`,
    },
  ];
}

/** Number of nodes that fit into the IPv4 cluster networks. */
function nodesOf(clusterNetwork: InstallSubject['config']['networking']['clusterNetwork']): number {
  return clusterNetwork
    .map(({ cidr, hostPrefix }) => ({ cidr: parseCidr(cidr), hostPrefix }))
    .reduce(
      (sum, { cidr, hostPrefix }) =>
        cidr?.family === 'IPv4' ? sum + 2 ** Math.max(0, hostPrefix - cidr.prefix) : sum,
      0,
    );
}

/** Number of node addresses; three addresses are reserved. Source: openshift/installer pkg/types/validation */
function roomOf(cidr: Cidr): number {
  return 2 ** (addressBits(cidr.family) - cidr.prefix) - 3;
}
