import { isIPv4, isIPv6 } from 'node:net';

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  addressBits,
  contains,
  formatAddress,
  formatCidr,
  isHostOf,
  isNetwork,
  nthHost,
  overlaps,
  parseAddress,
  parseCidr,
  type Address,
  type Cidr,
} from '../../src/formats/cidr.js';

const address: fc.Arbitrary<Address> = fc.oneof(
  fc.bigInt(0n, 2n ** 32n - 1n).map((value) => ({ family: 'IPv4' as const, value })),
  fc
    .bigInt(0n, 2n ** 128n - 1n)
    .filter((value) => value >> 32n !== 0xffffn)
    .map((value) => ({ family: 'IPv6' as const, value })),
);

const cidr: fc.Arbitrary<Cidr> = address.chain((given) =>
  fc
    .integer({ min: 0, max: addressBits(given.family) })
    .map((prefix) => network(`${formatAddress(given)}/${prefix}`)),
);

function network(text: string): Cidr {
  const parsed = parseCidr(text);
  if (!parsed) throw new Error(`not a network: ${text}`);
  return parsed;
}

describe('parseAddress', () => {
  test.each([
    { given: '192.168.126.10', want: '192.168.126.10' },
    { given: '0.0.0.0', want: '0.0.0.0' },
    { given: 'FD2E:6F44:5DD8::', want: 'fd2e:6f44:5dd8::' },
    { given: '::', want: '::' },
    { given: '::1', want: '::1' },
    { given: '1:0:0:2:0:0:0:3', want: '1:0:0:2::3' },
    { given: '1:2:3:4:5:6:7:0', want: '1:2:3:4:5:6:7:0' },
    { given: '64:ff9b::192.168.1.1', want: '64:ff9b::c0a8:101' },
    { given: '192.168.126', want: undefined },
    { given: '192.168.126.010', want: undefined },
    { given: '192.168.126.256', want: undefined },
    { given: '192.168.126.10 ', want: undefined },
    { given: '::ffff:192.168.1.1', want: undefined },
    { given: 'fe80::1%eth0', want: undefined },
    { given: '1::2::3', want: undefined },
    { given: '1:2:3:4:5:6:7:8::', want: undefined },
    { given: ':1:2:3:4:5:6:7', want: undefined },
    { given: '', want: undefined },
  ])('parses $given as $want', ({ given, want }) => {
    const parsed = parseAddress(given);
    expect(parsed && formatAddress(parsed)).toBe(want);
  });

  test('agrees with node:net on any text of address characters', () => {
    const text = fc.stringMatching(/^[0-9a-f:.]{0,24}$/);
    fc.assert(
      fc.property(text, (given) => {
        const mapped = /^(0{0,4}:)*:?ffff:/i.test(given);
        const want = isIPv4(given) ? 'IPv4' : isIPv6(given) ? 'IPv6' : undefined;
        expect(mapped || parseAddress(given)?.family === want).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  test('reads back what formatAddress writes', () => {
    fc.assert(
      fc.property(address, (given) => {
        expect(parseAddress(formatAddress(given))).toEqual(given);
      }),
    );
  });
});

describe('parseCidr', () => {
  test.each([
    { given: '10.128.0.0/14', want: '10.128.0.0/14' },
    { given: '192.168.126.10/24', want: '192.168.126.0/24' },
    { given: 'fd01::/48', want: 'fd01::/48' },
    { given: '0.0.0.0/0', want: '0.0.0.0/0' },
    { given: '10.0.0.0', want: undefined },
    { given: '10.0.0.0/33', want: undefined },
    { given: '10.0.0.0/08', want: undefined },
    { given: '10.0.0.0/', want: undefined },
    { given: '10.0.0.0/8/8', want: undefined },
    { given: 'fd01::/129', want: undefined },
    { given: '10.0.0.0/-1', want: undefined },
  ])('parses $given as $want', ({ given, want }) => {
    const parsed = parseCidr(given);
    expect(parsed && formatCidr(parsed)).toBe(want);
  });

  test('returns a canonical network that contains the address', () => {
    fc.assert(
      fc.property(cidr, (given) => {
        const written = network(formatCidr(given));
        expect([isNetwork(written), written.first, written.last]).toEqual([true, given.first, given.last]);
        expect(contains(given, { family: given.family, value: given.address })).toBe(true);
      }),
    );
  });
});

describe('networks', () => {
  test('networks of a family overlap only if one contains the other', () => {
    fc.assert(
      fc.property(cidr, cidr, (left, right) => {
        const holds = (outer: Cidr, inner: Cidr): boolean =>
          contains(outer, { family: inner.family, value: inner.first });
        expect(overlaps(left, right)).toBe(holds(left, right) || holds(right, left));
        expect(overlaps(left, right)).toBe(overlaps(right, left));
      }),
    );
  });

  test('finds a host at its index in the network', () => {
    fc.assert(
      fc.property(cidr, fc.integer({ min: -1, max: 2 ** 32 }), (given, index) => {
        const host = nthHost(given, index);
        const isInside = index >= 0 && given.first + BigInt(index) <= given.last;
        expect(host?.value).toBe(isInside ? given.first + BigInt(index) : undefined);
      }),
    );
  });

  test.each([
    { of: '192.168.126.0/24', address: '192.168.126.0', want: false },
    { of: '192.168.126.0/24', address: '192.168.126.255', want: false },
    { of: '192.168.126.0/24', address: '192.168.126.254', want: true },
    { of: '192.168.126.0/24', address: '192.168.127.1', want: false },
    { of: '192.168.126.0/31', address: '192.168.126.0', want: true },
    { of: 'fd2e::/64', address: 'fd2e::', want: false },
    { of: 'fd2e::/64', address: 'fd2e::ffff:ffff:ffff:ffff', want: true },
    { of: 'fd2e::/64', address: '192.168.126.1', want: false },
  ])('$address is a host of $of: $want', ({ of, address: text, want }) => {
    const parsed = parseAddress(text);
    expect(parsed && isHostOf(network(of), parsed)).toBe(want);
  });
});
