import type { InterfaceDescription, IpDescription } from '../schema/network-model.js';
import {
  contains,
  formatAddress,
  parseAddress,
  parseCidr,
  type Cidr,
  type Family,
} from '../../formats/cidr.js';
import { ipOf } from './interfaces.js';

/** The static addresses of an interface with their networks, in order; what is none is left out. */
export function staticAddresses(each: InterfaceDescription, family: Family): readonly Cidr[] {
  const ip = ipOf(each, family);
  return ip === undefined ? [] : addressesOf(ip).filter((cidr) => cidr.family === family);
}

/** The addresses of one family. The kernel makes link-local ones of IPv6 itself, and nmstate leaves them out. */
export function addressesOf({ address = [] }: IpDescription): readonly Cidr[] {
  return address.flatMap((each) => {
    const cidr = parseCidr(`${each.ip ?? ''}/${each['prefix-length'] ?? ''}`);
    return cidr === undefined || isLinkLocal(cidr) ? [] : [cidr];
  });
}

/** `10.0.0.2/24`: the address, not its network. */
export function addressText({ family, address, prefix }: Cidr): string {
  return `${formatAddress({ family, value: address })}/${prefix}`;
}

/** An address in its shortest form; as it was written where it is none. */
export function shortestAddress(text: string): string {
  const address = parseAddress(text);
  return address === undefined ? text : formatAddress(address);
}

/** Whether an IPv6 address holds on its link alone (RFC 4291 §2.5.6). */
export function isLinkLocal({ family, address }: Pick<Cidr, 'family' | 'address'>): boolean {
  return linkLocal !== undefined && contains(linkLocal, { family, value: address });
}

const linkLocal = parseCidr('fe80::/10');
