import type { Place } from '../../../core/problem.js';
import { quoted } from '../../../core/quoted.js';
import {
  contains,
  formatAddress,
  formatCidr,
  isHostOf,
  parseAddress,
  parseCidr,
  type Address,
  type Cidr,
} from '../../../formats/cidr.js';
import { hasUnknownAddress, staticAddresses } from '../addresses.js';
import { isAutomatic, presentInterfaces } from '../interfaces.js';
import { nodeAddressFault } from '../node-address.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { hasKeyfiles, interfacesPath, placedIps } from './network-paths.js';

/** Requirements of the cluster on the node's network. */
export const nodeAddressRules: readonly NetworkRule[] = [
  {
    number: 113,
    fields: ['network.interfaces'],
    text: 'If all addresses are static, one is in a machine network and of the family of the first service network.',
    origin: 'sno-install',
    check: machineNetwork,
  },
  {
    number: 114,
    fields: ['nodeIP', 'network.interfaces'],
    text: 'If all addresses are static, nodeIP is one of them.',
    origin: 'sno-install',
    check: nodeIp,
  },
  {
    number: 120,
    fields: ['network.interfaces[].ipv4.address[]', 'network.interfaces[].ipv6.address[]'],
    text: 'A static address in the only machine network of its family does not have a shorter prefix length than that network (a warning).',
    origin: 'sno-install',
    check: prefixLengths,
  },
];

/** All static addresses; undefined if the node may have other ones. */
function allAddresses(subject: NetworkSubject): readonly Cidr[] | undefined {
  const interfaces = presentInterfaces(subject.config.network ?? {});
  const isOpen = interfaces.some((each) => [each.ipv4, each.ipv6].some((ip) => ip && isAutomatic(ip)));
  if (interfaces.length === 0 || isOpen || hasKeyfiles(subject) || interfaces.some(hasUnknownAddress))
    return undefined;
  return interfaces.flatMap((each) => [...staticAddresses(each, 'IPv4'), ...staticAddresses(each, 'IPv6')]);
}

/** The static addresses and the machine networks that contain none of them; undefined if one does, or if the node may have other addresses. */
export function outsideAddresses(subject: NetworkSubject): OutsideAddresses | undefined {
  const addresses = allAddresses(subject);
  const { install } = subject;
  if (addresses === undefined || install?.isSound('networking') !== true) return undefined;
  const { machineNetwork: networks, serviceNetwork } = install.config.networking;
  const family = parseCidr(serviceNetwork[0] ?? '')?.family;
  const wanted = networks.map(({ cidr }) => cidr).filter((cidr) => parseCidr(cidr)?.family === family);
  const isCovered = addresses.some(({ family: own, address }) =>
    wanted.some((each) => {
      const cidr = parseCidr(each);
      return cidr !== undefined && contains(cidr, { family: own, value: address });
    }),
  );
  return isCovered || wanted.length === 0
    ? undefined
    : { addresses, networks: wanted, at: install.placeOf(['networking', 'machineNetwork', 0, 'cidr']) };
}

interface OutsideAddresses {
  readonly addresses: readonly Cidr[];
  readonly networks: readonly string[];
  /** Of the first machine network. */
  readonly at: Place;
}

/** Whether an address is that of an interface, in whose network it is no host. */
export function isNoHost(subject: NetworkSubject, { family, value }: Address): boolean {
  return (allAddresses(subject) ?? []).some(
    (each) => each.family === family && each.address === value && !isHostOf(each, { family, value }),
  );
}

function machineNetwork(subject: NetworkSubject): readonly Finding[] {
  const outside = outsideAddresses(subject);
  if (outside === undefined) return [];
  const { addresses, networks, at } = outside;
  const only = onlyAddressPath(subject);
  const change = only === undefined ? 'add one' : 'change it';
  const both =
    subject.input.nodeIP === undefined
      ? change
      : `${change} and ${only === undefined ? 'write it as nodeIP' : 'nodeIP'}`;
  return [
    {
      code: 'config/interface-address',
      ...(only === undefined ? { path: interfacesPath, target: 'key' } : { path: only }),
      message: `no address of the interfaces${listed(addresses)} is in a machine network (${networks.join(', ')})`,
      other: at,
      hint: `${both}, or change networking.machineNetwork in install-config.yaml`,
    },
  ];
}

/** Several machine networks of one family may divide the network of an interface. */
function prefixLengths(subject: NetworkSubject): readonly Finding[] {
  const { install } = subject;
  if (install?.isSound('networking') !== true) return [];
  const networks = install.config.networking.machineNetwork.map(({ cidr }) => parseCidr(cidr));
  return placedIps(subject).flatMap(({ ip, path, family }) => {
    const index = networks.findIndex((cidr) => cidr?.family === family);
    const machine = networks[index];
    if (machine === undefined || networks.filter((cidr) => cidr?.family === family).length > 1) return [];
    return (ip.address ?? []).flatMap((each, at): readonly Finding[] => {
      const own = parseCidr(`${each.ip ?? ''}/${each['prefix-length'] ?? ''}`);
      if (own?.family !== family || !contains(machine, { family, value: own.address })) return [];
      // A machine network may contain the networks of several interfaces.
      if (own.prefix >= machine.prefix) return [];
      return [
        {
          code: 'config/prefix-length',
          path: [...path, 'address', at, 'prefix-length'],
          message: `${each.ip ?? ''} has prefix-length ${own.prefix}, but the machine network is ${formatCidr(machine)}`,
          other: install.placeOf(['networking', 'machineNetwork', index, 'cidr']),
          hint: `write "prefix-length: ${machine.prefix}", or change networking.machineNetwork in install-config.yaml to ${formatCidr(own)}`,
        },
      ];
    });
  });
}

/** The path of the static address, if there is one. */
function onlyAddressPath(subject: NetworkSubject): FieldPath | undefined {
  const [path, ...others] = placedIps(subject).flatMap(({ ip, path }) =>
    (ip.address ?? []).map((_, index) => [...path, 'address', index, 'ip']),
  );
  return others.length === 0 ? path : undefined;
}

function nodeIp(subject: NetworkSubject): readonly Finding[] {
  const given = subject.input.nodeIP;
  const address = parseAddress(given ?? '');
  const addresses = allAddresses(subject);
  if (given === undefined || address === undefined || addresses === undefined) return [];
  const isOwn = addresses.some((each) => each.family === address.family && each.address === address.value);
  if (isOwn || isConsequence(subject, address)) return [];
  return [
    {
      code: 'config/node-ip',
      path: ['nodeIP'],
      message: `nodeIP ${quoted(given)} is not an address of network.interfaces${listed(addresses)}`,
      with: [interfacesPath],
    },
  ];
}

/** Whether the difference follows from a reported error: either nodeIP or the interfaces are outside of the machine networks. */
function isConsequence(subject: NetworkSubject, address: Address): boolean {
  const { install } = subject;
  if (install?.isSound('networking') !== true) return false;
  const isFaulty = nodeAddressFault(address, install.config.networking) !== undefined;
  return isFaulty !== (outsideAddresses(subject) !== undefined);
}

function listed(addresses: readonly Cidr[]): string {
  const all = addresses.map(({ family, address }) => formatAddress({ family, value: address }));
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}
