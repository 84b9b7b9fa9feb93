import { generatePrimeSync, privateDecrypt, publicEncrypt } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { rsaKeyOf, rsaNumbers, type RsaNumbers } from '../../src/formats/rsa-key.js';

const prime = (bits: number, options = {}): bigint => generatePrimeSync(bits, { bigint: true, ...options });

/** Two random primes fit but for a chance of about two in 65537; then others are taken. */
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
    // p - 1 divisible by e: such a prime gives no inverse of e.
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
