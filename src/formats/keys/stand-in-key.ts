import { createHash } from 'node:crypto';

import { bitString, nullValue, objectIdentifier, octetString, sequence, unsignedInteger } from './der.js';
import { ecPkcs8, pointBits } from './pkcs8.js';
import { pemOf, type PrivateKey } from './private-key.js';

/**
 * What looks like an RSA key of so many bits and is none: its numbers are a hash's stream over the label, no product of primes.
 * Texts are as long as those of a real key, or, where those differ, as the longest; they pack as badly.
 */
export function standInRsaKey(label: string, bits: 2048 | 3072 | 4096): PrivateKey {
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
    pem: pemOf('PRIVATE KEY', sequence(zero, algorithm, octetString(numbers))),
    publicDer: sequence(algorithm, bitString(sequence(n, e))),
    sign: (bytes) => Promise.resolve(stream(`${label}/signature/${hashOf(bytes)}`, whole)),
  };
}

/** The same for a curve: a point that lies beside it. */
export function standInEcKey(label: string, curve: 'P-256' | 'P-384'): PrivateKey {
  const length = curve === 'P-256' ? 32 : 48;
  const algorithm = sequence(objectIdentifier(oids.ec), objectIdentifier(oids[curve]));
  const point = pointBits(stream(`${label}/point`, 2 * length));
  return {
    kind: curve,
    pem: pemOf('PRIVATE KEY', ecPkcs8(algorithm, stream(`${label}/scalar`, length), point)),
    publicDer: sequence(algorithm, point),
    sign: (bytes) => Promise.resolve(standInEcSignature(`${label}/${hashOf(bytes)}`, curve)),
  };
}

/** As long as the longest signature that a key of the curve gives. */
export function standInEcSignature(label: string, curve: 'P-256' | 'P-384'): Buffer {
  const length = curve === 'P-256' ? 32 : 48;
  const number = (name: string): Buffer => unsignedInteger(highNumber(`${label}/${name}`, length));
  return sequence(number('r'), number('s'));
}

/** Characters of an alphabet that hang on the label alone. */
export function standInText(label: string, length: number, alphabet: string): string {
  const bytes = stream(label, length);
  return Array.from(bytes, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
}

/** Whether a SubjectPublicKeyInfo is that of a stand-in. */
export function isStandInKey(publicDer: Buffer): boolean {
  return [oids.rsa, oids.ec].some((oid) => publicDer.subarray(0, 32).includes(objectIdentifier(oid)));
}

const zero = unsignedInteger(Buffer.of(0));

/**
 * As long as those of RFC 8017 §A.1 and RFC 5480 §2.1.1, which end in 1, and nobody's: no program takes a stand-in for a key, should
 * one ever meet it.
 */
const oids = {
  rsa: '1.2.840.113549.1.1.127',
  ec: '1.2.840.10045.2.127',
  'P-256': '1.2.840.10045.3.1.7',
  'P-384': '1.3.132.0.34',
} as const;

/** With its top bit set, so that it takes the sign byte which others may do without. */
function highNumber(label: string, length: number): Buffer {
  const bytes = stream(label, length);
  bytes[0] = (bytes[0] ?? 0) | 0x80;
  return bytes;
}

/** Bytes that hang on the label alone and look like chance. */
function stream(label: string, length: number): Buffer {
  return createHash('shake256', { outputLength: length }).update(`stand-in ${label}`).digest();
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
