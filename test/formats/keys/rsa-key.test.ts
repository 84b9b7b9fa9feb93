import {
  checkPrimeSync,
  createPrivateKey,
  generatePrimeSync,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import { describe, expect, it } from 'vitest';

import {
  generateApprovedRsaKey,
  generateRsaKey,
  rsaKeyOf,
  rsaNumbers,
  type RsaNumbers,
} from '../../../src/formats/keys/rsa-key.js';
import { scaledMs } from '../../support/time-scale.js';

const prime = (bits: number, options = {}): bigint => generatePrimeSync(bits, { bigint: true, ...options });

/** Two random primes are unsuitable with a probability of about two in 65537; then others are taken. */
function fitNumbers(): RsaNumbers {
  for (;;) {
    const numbers = rsaNumbers(prime(1024), prime(1024), 2048);
    if (numbers !== undefined) return numbers;
  }
}

describe('rsaNumbers', () => {
  it('gives the numbers of the standard, the larger prime first, whatever the order', () => {
    const numbers = fitNumbers();

    const { n, e, d, p, q, dp, dq, qi } = numbers;
    expect(rsaNumbers(q, p, 2048)).toEqual(numbers);
    expect([p > q, p * q === n, e]).toEqual([true, true, 65_537n]);
    expect([(e * d) % (p - 1n), (e * d) % (q - 1n), dp, dq, (qi * q) % p]).toEqual([
      1n,
      1n,
      d % (p - 1n),
      d % (q - 1n),
      1n,
    ]);
    expect(d > 1n << 1024n && d < n).toBe(true);
  });

  const big = prime(1024);
  const cases = [
    { name: 'the same prime twice', given: [big, big] },
    { name: 'primes that lie too close together', given: [big, big + (1n << 900n)] },
    { name: 'a product that lacks a bit', given: [1n << 1023n, (1n << 1023n) + (1n << 1000n) + 1n] },
    // p - 1 is divisible by e, so that e has no inverse.
    {
      name: 'a prime whose predecessor shares the exponent',
      given: [prime(1024, { add: 65_537n * 2n, rem: 1n }), big],
    },
  ] as const;
  it.each(cases)('refuses $name', ({ given: [first, second] }) => {
    expect(rsaNumbers(first, second, 2048)).toBeUndefined();
  });

  it('makes a key that decrypts what its public half encrypted', () => {
    const key = rsaKeyOf(fitNumbers());

    expect(privateDecrypt(key, publicEncrypt(key, Buffer.from('text'))).toString()).toBe('text');
  });
});

/** The numbers of a key as OpenSSL reads them. */
function numbersOf(pem: string): Readonly<Record<'n' | 'e' | 'd' | 'p' | 'q' | 'dp' | 'dq' | 'qi', bigint>> {
  const jwk = createPrivateKey(pem).export({ format: 'jwk' });
  const number = (text: unknown): bigint =>
    BigInt(`0x${Buffer.from(typeof text === 'string' ? text : '', 'base64url').toString('hex')}`);
  const { n, e, d, p, q, dp, dq, qi } = jwk;
  return {
    n: number(n),
    e: number(e),
    d: number(d),
    p: number(p),
    q: number(q),
    dp: number(dp),
    dq: number(dq),
    qi: number(qi),
  };
}

function gcd(a: bigint, b: bigint): bigint {
  return b === 0n ? a : gcd(b, a % b);
}

/** Requirements of FIPS 186-5 §A.1.1 and §A.1.3 that the key does not meet. */
function faultsOf(pem: string, bits: number): readonly string[] {
  const { n, e, d, p, q, dp, dq, qi } = numbersOf(pem);
  const half = BigInt(bits / 2);
  const lcm = ((p - 1n) * (q - 1n)) / gcd(p - 1n, q - 1n);
  const distance = p > q ? p - q : q - p;
  const requested: Readonly<Record<string, boolean>> = {
    'n = p q, of its length': n === p * q && n >> BigInt(bits - 1) === 1n,
    'p and q are at least the root of 2, times 2^(nlen/2 - 1)': [p, q].every(
      (prime) => prime ** 2n >= 1n << (2n * half - 1n) && prime < 1n << half,
    ),
    'p and q are prime': [p, q].every((prime) => checkPrimeSync(prime, { checks: 64 })),
    'p and q differ in their upper bits': distance > 1n << (half - 100n),
    'e is odd and between 2^16 and 2^256': e % 2n === 1n && e > 1n << 16n && e < 1n << 256n,
    'e shares no factor with p - 1 and q - 1': gcd(e, p - 1n) === 1n && gcd(e, q - 1n) === 1n,
    'd is the inverse of e, and large': (e * d) % lcm === 1n && d > 1n << half && d < lcm,
    'the CRT values belong to them': dp === d % (p - 1n) && dq === d % (q - 1n) && (q * qi) % p === 1n,
  };
  return Object.keys(requested).filter((what) => requested[what] !== true);
}

describe('keys meet FIPS 186-5', () => {
  // SNO_RSA_KEYS=240 checks 240 keys, which takes two minutes.
  const count = Number(process.env['SNO_RSA_KEYS'] ?? 4);
  const ways = [
    { name: 'two primes', generate: generateRsaKey },
    { name: 'OpenSSL as a whole', generate: generateApprovedRsaKey },
  ];

  it.each(ways)(
    'of $name',
    async ({ generate }) => {
      const made = await Promise.all(Array.from({ length: count }, () => generate(2048)));
      const keys = made.map((key) => key.reveal());
      expect(keys.flatMap((key) => faultsOf(key, 2048))).toEqual([]);
      expect(new Set(keys).size).toBe(count);
    },
    scaledMs(600_000),
  );
});
