// What looks like an RSA-2048 key and that no other has: its numbers are random, but for the modulus, which Node.js 26 compares with its
// factors; to draw real ones takes longer than any test.
import { createPrivateKey, randomBytes } from 'node:crypto';

/** The key as PKCS#8 (PEM). */
export function randomRsaPem() {
  const [p, q, ...rest] = Array.from({ length: 5 }, () => random(128));
  const modulus = Buffer.from(`00${(integer(p) * integer(q)).toString(16)}`, 'hex');
  const numbers = [Buffer.of(0), modulus, Buffer.of(1, 0, 1), random(256), p, q, ...rest];
  // RSAPrivateKey: version, modulus, both exponents, primes and what is computed of them. Source: RFC 8017 A.1.2
  const key = tagged(0x30, Buffer.concat(numbers.map((number) => tagged(0x02, number))));
  return createPrivateKey({ key, format: 'der', type: 'pkcs1' }).export({ type: 'pkcs8', format: 'pem' });
}

function integer(bytes) {
  return BigInt(`0x${bytes.toString('hex')}`);
}

/** An odd positive number of so many bytes, and the sign before it; the product of two has twice as many bits. */
function random(bytes) {
  const value = randomBytes(bytes);
  value[0] |= 0xc0;
  value[bytes - 1] |= 1;
  return Buffer.concat([Buffer.of(0), value]);
}

/** Source: X.690 §8.1.3 */
function tagged(tag, contents) {
  const { length } = contents;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.of(tag, ...size), contents]);
}
