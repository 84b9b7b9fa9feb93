/** IP addresses and networks in CIDR notation, both families (RFC 4291, RFC 4632, RFC 5952). */

/** IP family, as Kubernetes spells it. */
export type Family = 'IPv4' | 'IPv6';

/** An IP address without zone and prefix. */
export interface Address {
  readonly family: Family;
  /** The address as a number, first byte most significant. */
  readonly value: bigint;
}

/** An address and its network. */
export interface Cidr {
  readonly family: Family;
  /** The address as written. It equals `first` for a network, but not for an interface such as `192.168.126.10/24`. */
  readonly address: bigint;
  /** Prefix length: 0 to 32, or 0 to 128. */
  readonly prefix: number;
  /** Network address: all host bits zero. */
  readonly first: bigint;
  /** Last address: all host bits one. */
  readonly last: bigint;
}

export function addressBits(family: Family): 32 | 128 {
  return family === 'IPv4' ? 32 : 128;
}

export function loopbackAddress(family: Family): '127.0.0.1' | '::1' {
  return family === 'IPv4' ? '127.0.0.1' : '::1';
}

/** Parses an address such as `192.168.126.10` or `fd2e::10`. Undefined for anything else: zones, leading zeros, IPv4-mapped IPv6. */
export function parseAddress(text: string): Address | undefined {
  const family = text.includes(':') ? 'IPv6' : 'IPv4';
  const value = family === 'IPv6' ? parseV6(text) : parseV4(text);
  return value === undefined ? undefined : { family, value };
}

/** Parses a network such as `10.128.0.0/14`; host bits may be set. Undefined if the text is not in CIDR notation. */
export function parseCidr(text: string): Cidr | undefined {
  const [head = '', tail = '', ...more] = text.split('/');
  const address = parseAddress(head);
  if (!address || more.length > 0 || !/^(0|[1-9]\d{0,2})$/.test(tail)) return undefined;
  const prefix = Number(tail);
  const bits = addressBits(address.family);
  if (prefix > bits) return undefined;
  const size = 1n << BigInt(bits - prefix);
  const first = (address.value / size) * size;
  return { family: address.family, address: address.value, prefix, first, last: first + size - 1n };
}

/** Shortest form in lower case; RFC 5952 for IPv6. */
export function formatAddress({ family, value }: Address): string {
  return family === 'IPv4' ? bytesOf(value, 4).join('.') : formatV6(value);
}

/** CIDR notation with host bits zeroed. */
export function formatCidr(cidr: Cidr): string {
  return `${formatAddress({ family: cidr.family, value: cidr.first })}/${cidr.prefix}`;
}

/** Whether all host bits are zero. */
export function isNetwork(cidr: Cidr): boolean {
  return cidr.address === cidr.first;
}

/** False for different families. */
export function contains(cidr: Cidr, address: Address): boolean {
  return cidr.family === address.family && cidr.first <= address.value && address.value <= cidr.last;
}

/** Whether two networks share an address. False for different families. */
export function overlaps(left: Cidr, right: Cidr): boolean {
  return left.family === right.family && left.first <= right.last && right.first <= left.last;
}

/** The address at offset `index` from the network address; undefined outside the network. Offset 10 of the service network is cluster DNS. */
export function nthHost(cidr: Cidr, index: number): Address | undefined {
  const value = cidr.first + BigInt(index);
  const address = { family: cidr.family, value };
  return index >= 0 && contains(cidr, address) ? address : undefined;
}

/** Whether a host may use the address: in IPv4 neither the network nor the broadcast address (RFC 3021 exempts /31 and /32). */
export function isHostOf(cidr: Cidr, address: Address): boolean {
  if (!contains(cidr, address)) return false;
  if (cidr.prefix >= addressBits(cidr.family) - 1) return true;
  // In IPv6 the first address is the subnet-router anycast address (RFC 4291 §2.6.1); there is no broadcast.
  return address.value !== cidr.first && (cidr.family === 'IPv6' || address.value !== cidr.last);
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  if (!parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined;
  return parts.reduce((value, part) => value * 256n + BigInt(part), 0n);
}

function parseV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head, tail] = [groupsOf(halves[0] ?? ''), groupsOf(halves[1] ?? '')];
  if (!head || !tail) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined;
  const groups = [...head, ...Array<bigint>(missing).fill(0n), ...tail];
  const value = groups.reduce((sum, group) => (sum << 16n) + group, 0n);
  return value >> 32n === 0xffffn ? undefined : value;
}

function groupsOf(half: string): readonly bigint[] | undefined {
  if (half === '') return [];
  const parts = half.split(':');
  const groups = parts.flatMap((part, index) => {
    if (/^[0-9a-f]{1,4}$/i.test(part)) return [BigInt(`0x${part}`)];
    // The last 32 bits may be written as an IPv4 address (RFC 4291 §2.2).
    const v4 = index === parts.length - 1 ? parseV4(part) : undefined;
    return v4 === undefined ? [undefined] : [v4 >> 16n, v4 & 0xffffn];
  });
  return groups.every((group) => group !== undefined) ? groups : undefined;
}

function formatV6(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(16 * (7 - index))) & 0xffffn);
  const { start, length } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

function longestZeroRun(groups: readonly bigint[]): { readonly start: number; readonly length: number } {
  const runs = groups.map((_, start) => {
    const end = groups.findIndex((group, index) => index >= start && group !== 0n);
    return { start, length: (end === -1 ? groups.length : end) - start };
  });
  return runs.reduce((best, run) => (run.length > best.length ? run : best), { start: 0, length: 0 });
}

function bytesOf(value: bigint, count: number): readonly bigint[] {
  return Array.from({ length: count }, (_, index) => (value >> BigInt(8 * (count - 1 - index))) & 0xffn);
}
