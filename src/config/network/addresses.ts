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

/** The static addresses of an interface with their prefix lengths, in order. Invalid ones are left out. */
export function staticAddresses(each: InterfaceDescription, family: Family): readonly Cidr[] {
  const ip = ipOf(each, family);
  return ip === undefined ? [] : addressesOf(ip).filter((cidr) => cidr.family === family);
}

/** The addresses of one family, without IPv6 link-local ones: the kernel creates those, and nmstate does not write them. */
export function addressesOf({ address = [] }: IpDescription): readonly Cidr[] {
  return address.flatMap((each) => {
    const cidr = parseCidr(`${each.ip ?? ''}/${each['prefix-length'] ?? ''}`);
    return cidr === undefined || isLinkLocal(cidr) ? [] : [cidr];
  });
}

/** Whether an interface has an address that another problem reports, or does not enable, so that its networks are not known. */
export function hasUnknownAddress({ ipv4, ipv6 }: InterfaceDescription): boolean {
  return [ipv4, ipv6].some(
    (ip) =>
      ip?.address?.some(
        (each) =>
          ip.enabled === undefined ||
          parseCidr(`${each.ip ?? ''}/${each['prefix-length'] ?? ''}`) === undefined,
      ) === true,
  );
}

/** Formats the address with its prefix length: `10.0.0.2/24`. */
export function addressText({ family, address, prefix }: Cidr): string {
  return `${formatAddress({ family, value: address })}/${prefix}`;
}

/** The shortest form of an address; an invalid one is returned unchanged. */
export function shortestAddress(text: string): string {
  const address = parseAddress(text);
  return address === undefined ? text : formatAddress(address);
}

/** Whether an IPv6 address is link-local (RFC 4291 §2.5.6). */
export function isLinkLocal({ family, address }: Pick<Cidr, 'family' | 'address'>): boolean {
  return linkLocal !== undefined && contains(linkLocal, { family, value: address });
}

const linkLocal = parseCidr('fe80::/10');
