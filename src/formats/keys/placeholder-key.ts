import { createHash } from 'node:crypto';

import {
  bitString,
  contentsOf,
  explicit,
  membersOf,
  nullValue,
  objectIdentifier,
  octetString,
  sequence,
  unsignedInteger,
} from './der.js';
import { KeyPem } from './key-pem.js';
import { pemOf, type PrivateKey } from './private-key.js';

/**
 * A placeholder for an RSA key of `bits` bits. Its numbers are a hash stream over the label, not a product of primes. Its encodings
 * are as long as the longest of a real key, and compress equally badly.
 */
export function placeholderRsaKey(label: string, bits: 2048 | 3072 | 4096): PrivateKey {
  const whole = bits / 8;
  const number = (name: string, length: number): Buffer =>
    unsignedInteger(highNumber(`${label}/${name}`, length));
  const algorithm = sequence(objectIdentifier(oids.rsa), nullValue);
  const n = number('n', whole);
  const e = unsignedInteger(Buffer.of(1, 0, 1));
  const halves = ['p', 'q', 'dp', 'dq', 'qi'].map((name) => number(name, whole / 2));
  const numbers = sequence(zero, n, e, number('d', whole), ...halves);
  return {
    kind: 'RSA',
    pem: new KeyPem(pemOf('PRIVATE KEY', sequence(zero, algorithm, octetString(numbers)))),
    publicDer: sequence(algorithm, bitString(sequence(n, e))),
    sign: (bytes) => Promise.resolve(stream(`${label}/signature/${hashOf(bytes)}`, whole)),
  };
}

/** A placeholder for an elliptic-curve key. Its point is not on the curve. */
export function placeholderEcKey(label: string, curve: 'P-256' | 'P-384'): PrivateKey {
  const length = curve === 'P-256' ? 32 : 48;
  const algorithm = sequence(objectIdentifier(oids.ec), objectIdentifier(oids[curve]));
  // RFC 5480 §2.2: 4, then both coordinates.
  const point = bitString(Buffer.concat([Buffer.of(4), stream(`${label}/point`, 2 * length)]));
  const scalar = octetString(stream(`${label}/scalar`, length));
  // RFC 5915 §3
  const numbers = sequence(unsignedInteger(Buffer.of(1)), scalar, explicit(1, point));
  return {
    kind: curve,
    pem: new KeyPem(pemOf('PRIVATE KEY', sequence(zero, algorithm, octetString(numbers)))),
    publicDer: sequence(algorithm, point),
    sign: (bytes) => Promise.resolve(placeholderEcSignature(`${label}/${hashOf(bytes)}`, curve)),
  };
}

/** As long as the longest signature of a key of the curve. */
export function placeholderEcSignature(label: string, curve: 'P-256' | 'P-384'): Buffer {
  const length = curve === 'P-256' ? 32 : 48;
  const number = (name: string): Buffer => unsignedInteger(highNumber(`${label}/${name}`, length));
  return sequence(number('r'), number('s'));
}

/** Characters of an alphabet, derived from the label only. */
export function placeholderText(label: string, length: number, alphabet: string): string {
  const bytes = stream(label, length);
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Description of a placeholder in golden files. */
export interface KeyPlaceholder {
  /** Key type as in node:crypto: `rsa-2048`, `ec-prime256v1`. */
  readonly kind: string;
  /** SubjectPublicKeyInfo. */
  readonly publicDer: Buffer;
}

/** Finds the placeholder in a certificate, a private key (PKCS#8) or a public key; undefined for anything else. */
export function readKeyPlaceholder(label: string, der: Buffer): KeyPlaceholder | undefined {
  try {
    const publicDer = publicPart(label, membersOf(contentsOf(der)));
    const isPlaceholder = [oids.rsa, oids.ec].some((oid) =>
      publicDer?.subarray(0, 32).includes(objectIdentifier(oid)),
    );
    const kind = kinds[publicDer?.length ?? 0];
    return isPlaceholder && publicDer && kind !== undefined ? { kind, publicDer } : undefined;
  } catch {
    return undefined;
  }
}

/** By length of the SubjectPublicKeyInfo, which is the same for all placeholders of a kind. */
const kinds: Readonly<Partial<Record<number, string>>> = {
  294: 'rsa-2048',
  422: 'rsa-3072',
  550: 'rsa-4096',
  91: 'ec-prime256v1',
  120: 'ec-secp384r1',
};

function publicPart(label: string, members: readonly Buffer[]): Buffer | undefined {
  const [first, second, third] = members;
  // RFC 5280 §4.1: version, serial number, algorithm, issuer, validity, subject, key.
  if (label === 'CERTIFICATE') return first && membersOf(contentsOf(first))[6];
  if (label.endsWith('PUBLIC KEY')) return sequence(...members);
  // RFC 5958 §2: version, algorithm, the key in an octet string.
  return second && third && publicHalf(second, membersOf(contentsOf(contentsOf(third))));
}

/** RFC 8017 §A.1.2: version, modulus, exponent. RFC 5915 §3: version, scalar, `[1]` with the point. */
function publicHalf(algorithm: Buffer, [, second, third]: readonly Buffer[]): Buffer | undefined {
  if (second === undefined || third === undefined) return undefined;
  const isPoint = third[0] === 0xa1;
  return sequence(algorithm, isPoint ? contentsOf(third) : bitString(sequence(second, third)));
}

const zero = unsignedInteger(Buffer.of(0));

/**
 * Unassigned OIDs, so that no program accepts a placeholder as a key. They are as long as those of RFC 8017 §A.1 and RFC 5480 §2.1.1,
 * which end in 1.
 */
const oids = {
  rsa: '1.2.840.113549.1.1.127',
  ec: '1.2.840.10045.2.127',
  'P-256': '1.2.840.10045.3.1.7',
  'P-384': '1.3.132.0.34',
} as const;

/** The top bit is set, so that the number needs a sign byte, as the longest real ones do. */
function highNumber(label: string, length: number): Buffer {
  const bytes = stream(label, length);
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  return bytes;
}

/** Pseudorandom bytes derived from the label only. */
function stream(label: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(`stand-in ${label}`).digest();
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
