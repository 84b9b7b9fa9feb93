import {
  createPrivateKey,
  createPublicKey,
  generateKeyPair,
  generateKeyPairSync,
  generatePrime,
  generatePrimeSync,
  randomBytes,
  sign,
  verify,
  type KeyObject,
  type RSAKeyPairKeyObjectOptions,
  type RSAKeyPairOptions,
} from 'node:crypto';
import { promisify } from 'node:util';

import { KeyPem } from './key-pem.js';
import { pkcs8Pem } from './private-key.js';

/**
 * Generates an RSA private key, PKCS#8 PEM, from two primes generated concurrently in the thread pool.
 * The primes and the key meet FIPS 186-5 §A.1.1 and §A.1.3; see docs/decisions/0003-rsa-keys-from-primes.md.
 */
export async function generateRsaKey(bits: RsaLength): Promise<KeyPem> {
  for (;;) {
    const [first, second] = await Promise.all([newPrime(bits / 2), newPrime(bits / 2)]);
    const key = keyOfPrimes(first, second, bits);
    if (key !== undefined) return pkcs8Pem(key);
  }
}

/** As `generateRsaKey`, but synchronous. */
export function generateRsaKeySync(bits: RsaLength): KeyPem {
  for (;;) {
    const draw = (): bigint => generatePrimeSync(bits / 2, { bigint: true });
    const key = keyOfPrimes(draw(), draw(), bits);
    if (key !== undefined) return pkcs8Pem(key);
  }
}

/** Generates an RSA private key, PKCS#8 PEM, entirely in OpenSSL (FIPS 186-5 §A.1.6). Takes twice as long. */
export async function generateApprovedRsaKey(bits: RsaLength): Promise<KeyPem> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', rsaOptions(bits));
  return pkcs8Pem(privateKey);
}

/** As `generateApprovedRsaKey`, but synchronous. */
export function generateApprovedRsaKeySync(bits: RsaLength): KeyPem {
  const options: RSAKeyPairOptions<'pem', 'pem'> = { ...rsaOptions(bits), ...pemEncoding };
  return new KeyPem(generateKeyPairSync('rsa', options).privateKey);
}

/**
 * Synchronous generation must return PEM. Exporting a KeyObject in Node.js 20 takes a lock that the garbage collector also needs when it
 * destroys the generation job, which can deadlock. Source: node/src/crypto/crypto_keygen.h, ~KeyPairGenConfig
 */
const pemEncoding = {
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
} as const;

/** RSA key parameters as in RFC 8017 §3.2. */
export interface RsaNumbers {
  readonly n: bigint;
  readonly e: bigint;
  readonly d: bigint;
  readonly p: bigint;
  readonly q: bigint;
  readonly dp: bigint;
  readonly dq: bigint;
  readonly qi: bigint;
}

type RsaLength = 2048 | 3072 | 4096;

function rsaOptions(bits: RsaLength): RSAKeyPairKeyObjectOptions {
  return { modulusLength: bits, publicExponent: Number(publicExponent) };
}

/** The usual exponent; FIPS 186-5 §5.4 requires an odd one between 2^16 and 2^256. */
const publicExponent = 65_537n;

/** Computes the key of two primes; undefined if they do not meet the standard and others must be generated. */
export function rsaNumbers(first: bigint, second: bigint, bits: number): RsaNumbers | undefined {
  const [p, q] = first > second ? [first, second] : [second, first];
  const n = p * q;
  // FIPS 186-5 §A.1.3: the primes differ in their upper 100 bits, and p - 1 and q - 1 share no factor with e.
  if (p - q <= 1n << BigInt(bits / 2 - 100) || bitLength(n) !== bits) return undefined;
  if ((p - 1n) % publicExponent === 0n || (q - 1n) % publicExponent === 0n) return undefined;
  const d = inverse(publicExponent, leastCommonMultiple(p - 1n, q - 1n));
  if (d === undefined || d <= 1n << BigInt(bits / 2)) return undefined;
  const qi = inverse(q, p);
  if (qi === undefined) return undefined;
  return { n, e: publicExponent, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi };
}

/** A tested key; undefined if the primes are not suitable. */
function keyOfPrimes(first: bigint, second: bigint, bits: number): KeyObject | undefined {
  const numbers = rsaNumbers(first, second, bits);
  if (numbers === undefined) return undefined;
  const key = rsaKeyOf(numbers);
  checkPair(key);
  return key;
}

export function rsaKeyOf({ n, e, d, p, q, dp, dq, qi }: RsaNumbers): KeyObject {
  const members = { n, e, d, p, q, dp, dq, qi };
  const texts = Object.entries(members).map(([name, value]) => [name, base64url(value)] as const);
  return createPrivateKey({ key: { kty: 'RSA', ...Object.fromEntries(texts) }, format: 'jwk' });
}

/**
 * OpenSSL sets the two top bits of each prime, so that the product has its full length, and tests it with 64
 * Miller–Rabin rounds (FIPS 186-5 table B.1 requires 5 at most). Source: OpenSSL BN_generate_prime(3)
 */
function newPrime(bits: number): Promise<bigint> {
  return new Promise((done, refuse) => {
    generatePrime(bits, { bigint: true }, (error, prime) => {
      if (error instanceof Error) refuse(error);
      else done(prime);
    });
  });
}

/** Pairwise consistency test: the public key verifies a signature of the private key (SP 800-56B §6.4.1.1). */
function checkPair(key: KeyObject): void {
  const message = randomBytes(32);
  if (!verify('sha256', message, createPublicKey(key), sign('sha256', message, key))) {
    throw new Error('internal error: a fresh RSA key does not verify its own signature');
  }
}

function leastCommonMultiple(a: bigint, b: bigint): bigint {
  return (a / greatestCommonDivisor(a, b)) * b;
}

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [divisor, rest] = [a, b];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return divisor;
}

/** Modular inverse by the extended Euclidean algorithm; undefined if there is none. */
function inverse(value: bigint, modulus: bigint): bigint | undefined {
  let [rest, next] = [value % modulus, modulus];
  let [factor, nextFactor] = [1n, 0n];
  while (next !== 0n) {
    const quotient = rest / next;
    [rest, next] = [next, rest - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return rest === 1n ? ((factor % modulus) + modulus) % modulus : undefined;
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}
