import { quoted } from '../../../core/quoted.js';
import { contains, formatAddress, parseAddress, parseCidr, type Cidr } from '../../../formats/cidr.js';
import { staticAddresses } from '../addresses.js';
import { isAutomatic, presentInterfaces } from '../interfaces.js';
import type { Finding } from '../../schema/rule.js';
import type { NetworkRule, NetworkSubject } from './network-subject.js';
import { hasKeyfiles, interfacesPath } from './network-paths.js';

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
];

/** All static addresses; undefined if the node may have other ones. */
function allAddresses(subject: NetworkSubject): readonly Cidr[] | undefined {
  const interfaces = presentInterfaces(subject.config.network ?? {});
  const isOpen = interfaces.some((each) => [each.ipv4, each.ipv6].some((ip) => ip && isAutomatic(ip)));
  if (interfaces.length === 0 || isOpen || hasKeyfiles(subject)) return undefined;
  return interfaces.flatMap((each) => [...staticAddresses(each, 'IPv4'), ...staticAddresses(each, 'IPv6')]);
}

function machineNetwork(subject: NetworkSubject): readonly Finding[] {
  const addresses = allAddresses(subject);
  const { install } = subject;
  if (addresses === undefined || install?.isSound('networking') !== true) return [];
  const { machineNetwork: networks, serviceNetwork } = install.config.networking;
  const family = parseCidr(serviceNetwork[0] ?? '')?.family;
  const wanted = networks.map(({ cidr }) => cidr).filter((cidr) => parseCidr(cidr)?.family === family);
  const isCovered = addresses.some(({ family: own, address }) =>
    wanted.some((each) => {
      const cidr = parseCidr(each);
      return cidr !== undefined && contains(cidr, { family: own, value: address });
    }),
  );
  if (isCovered || wanted.length === 0) return [];
  return [
    {
      code: 'config/interface-address',
      path: interfacesPath,
      target: 'key',
      message: `no address of the interfaces${listed(addresses)} is in a machine network (${wanted.join(', ')})`,
      other: install.placeOf(['networking', 'machineNetwork', 0, 'cidr']),
      hint: 'add one, or change networking.machineNetwork in install-config.yaml',
    },
  ];
}

function nodeIp(subject: NetworkSubject): readonly Finding[] {
  const given = subject.input.nodeIP;
  const address = parseAddress(given ?? '');
  const addresses = allAddresses(subject);
  if (given === undefined || address === undefined || addresses === undefined) return [];
  const isOwn = addresses.some((each) => each.family === address.family && each.address === address.value);
  if (isOwn) return [];
  return [
    {
      code: 'config/node-ip',
      path: ['nodeIP'],
      message: `nodeIP ${quoted(given)} is not an address of network.interfaces${listed(addresses)}`,
      with: [interfacesPath],
    },
  ];
}

function listed(addresses: readonly Cidr[]): string {
  const all = addresses.map(({ family, address }) => formatAddress({ family, value: address }));
  return all.length === 0 ? '' : ` (${all.join(', ')})`;
}
