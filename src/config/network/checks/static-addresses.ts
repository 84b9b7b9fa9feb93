import { quoted } from '../../../core/quoted.js';
import {
  formatAddress,
  isHostOf,
  parseAddress,
  parseCidr,
  type Address,
  type Cidr,
} from '../../../formats/cidr.js';
import type { FieldPath } from '../../../formats/yaml/yaml-tree.js';
import type { Finding } from '../../schema/rule.js';
import { repeatedItems, type PlacedIp } from './network-paths.js';

const code = 'config/interface-address' as const;

export function staticAddressFindings(ips: readonly PlacedIp[]): readonly Finding[] {
  const all = ips.flatMap(placedAddresses);
  return [...all.flatMap(addressFindings), ...sameAddresses(all)];
}

interface PlacedAddress {
  readonly owner: PlacedIp;
  readonly path: FieldPath;
  readonly text: string;
  readonly prefix: number | undefined;
  readonly address: Address | undefined;
}

function placedAddresses(owner: PlacedIp): readonly PlacedAddress[] {
  if (owner.ip.enabled === false) return [];
  return (owner.ip.address ?? []).map((each, index) => ({
    owner,
    path: [...owner.path, 'address', index, 'ip'],
    text: each.ip ?? '',
    prefix: each['prefix-length'],
    address: parseAddress(each.ip ?? ''),
  }));
}

function addressFindings({ owner, path, text, prefix, address }: PlacedAddress): readonly Finding[] {
  if (text === '') return [];
  if (address === undefined)
    return [
      {
        code,
        path,
        message: `${quoted(text)} is not an address`,
        hint: text.includes('/') ? 'write the prefix length as prefix-length' : undefined,
      },
    ];
  const { family } = owner;
  const shown = formatAddress(address);
  if (address.family !== family)
    return [
      { code, path, message: `${shown} is an ${address.family} address under ${family.toLowerCase()}` },
    ];
  const fault = owner.each.type === 'loopback' ? undefined : useFault(address);
  if (fault !== undefined) return [{ code, path, message: `${shown} ${fault}` }];
  if (prefix === undefined) return [];
  const cidr = parseCidr(`${shown}/${prefix}`);
  if (cidr === undefined)
    return [
      {
        code,
        path: [...path.slice(0, -1), 'prefix-length'],
        message: `prefix-length ${prefix} is more than the 32 bits of an IPv4 address`,
      },
    ];
  return hostFindings(cidr, address, path);
}

function hostFindings(cidr: Cidr, address: Address, path: FieldPath): readonly Finding[] {
  if (isHostOf(cidr, address)) return [];
  const message = `${formatAddress(address)} is the network or broadcast address of its /${cidr.prefix} network`;
  return [{ code, path, message, with: [[...path.slice(0, -1), 'prefix-length']] }];
}

/** Source: RFC 6890 */
const otherUses: readonly (readonly [network: string, use: string])[] = [
  ['0.0.0.0/8', 'is an address of 0.0.0.0/8'],
  ['127.0.0.0/8', 'is a loopback address'],
  ['224.0.0.0/4', 'is a multicast address'],
  ['240.0.0.0/4', 'is reserved'],
  ['::/128', 'is an unspecified address'],
  ['::1/128', 'is a loopback address'],
  ['ff00::/8', 'is a multicast address'],
];

function useFault(address: Address): string | undefined {
  return otherUses.find(([network]) => {
    const cidr = parseCidr(network);
    return cidr?.family === address.family && cidr.first <= address.value && address.value <= cidr.last;
  })?.[1];
}

function sameAddresses(all: readonly PlacedAddress[]): readonly Finding[] {
  const twice = repeatedItems(all, ({ address }) =>
    address === undefined ? undefined : formatAddress(address),
  );
  return twice.map(({ item, earlier }) => {
    const names = [earlier, item].map(({ owner }) => quoted(owner.each.name ?? ''));
    return {
      code,
      path: item.path,
      message: `${quoted(item.text)} is an address of ${[...new Set(names)].join(' and of ')}${names[0] === names[1] ? ' already' : ''}`,
    };
  });
}
