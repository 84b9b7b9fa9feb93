import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto';

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

/** A private key that was read without OpenSSL. */
export interface ReadKey {
  readonly kind: 'RSA' | 'P-256' | 'P-384';
  /** SubjectPublicKeyInfo. */
  readonly publicDer: Buffer;
  readonly jwk: JsonWebKey;
}

/**
 * The key in a PEM text of PKCS#8 as OpenSSL writes it, and nothing around it; undefined for any other text, which may hold a key all the same.
 * OpenSSL takes 0.4 ms to find out what such a text is, and some hundredths of one to import the numbers in it. Source: RFC 5958 §2
 */
export function readPkcs8(pem: string): ReadKey | undefined {
  const body = /^-----BEGIN PRIVATE KEY-----\n([A-Za-z0-9+/\n]+={0,2})\n-----END PRIVATE KEY-----\n$/.exec(
    pem,
  );
  if (body === null) return undefined;
  try {
    return read(Buffer.from(body[1] ?? '', 'base64'));
  } catch {
    // Cut off within: OpenSSL says what that is.
    return undefined;
  }
}

/** The key that a PEM text holds, in the hands of OpenSSL. Throws where it is none. */
export function keyObjectOf(pem: string): KeyObject {
  const known = readPkcs8(pem);
  return known === undefined ? createPrivateKey(pem) : createPrivateKey({ key: known.jwk, format: 'jwk' });
}

/** RFC 8017 §A.1 */
const rsaAlgorithm = sequence(objectIdentifier('1.2.840.113549.1.1.1'), nullValue);

/** RFC 5480 §2.1.1; how many bytes a coordinate has. */
const p256 = { kind: 'P-256', length: 32, algorithm: ecAlgorithm('1.2.840.10045.3.1.7') } as const;
const p384 = { kind: 'P-384', length: 48, algorithm: ecAlgorithm('1.3.132.0.34') } as const;
const curves = [p256, p384];

/** A key of a curve, each number base64url and of the length of a coordinate (RFC 7518 §6.2). */
export type EcNumbers = Readonly<Record<'d' | 'x' | 'y', string>>;

function ecAlgorithm(curve: string): Buffer {
  return sequence(objectIdentifier('1.2.840.10045.2.1'), objectIdentifier(curve));
}

function read(der: Buffer): ReadKey | undefined {
  const [version, algorithm, secret, ...more] = wholeMembers(der);
  if (version?.equals(zero) !== true || algorithm === undefined || secret?.[0] !== 0x04 || more.length > 0)
    return undefined;
  if (algorithm.equals(rsaAlgorithm)) return readRsa(contentsOf(secret));
  const curve = curves.find((each) => each.algorithm.equals(algorithm));
  return curve && readEc(contentsOf(secret), curve);
}

const zero = unsignedInteger(Buffer.of(0));
const one = unsignedInteger(Buffer.of(1));

/** RSAPrivateKey of two primes (RFC 8017 §A.1.2). */
function readRsa(der: Buffer): ReadKey | undefined {
  const [version, ...numbers] = wholeMembers(der);
  if (version?.equals(zero) !== true || numbers.length !== rsaNames.length) return undefined;
  if (!numbers.every(isPositive)) return undefined;
  const jwk = Object.fromEntries(
    rsaNames.map((name, index) => [name, base64urlOf(numbers[index] ?? Buffer.alloc(0))]),
  );
  const [n = zero, e = zero] = numbers;
  return {
    kind: 'RSA',
    publicDer: sequence(rsaAlgorithm, bitString(sequence(n, e))),
    jwk: { kty: 'RSA', ...jwk },
  };
}

/** In the order of RSAPrivateKey. */
const rsaNames = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const;

/** An INTEGER above 0. */
function isPositive(der: Buffer): boolean {
  return der[0] === 0x02 && (contentsOf(der)[0] ?? 0x80) < 0x80 && !der.equals(zero);
}

function base64urlOf(integer: Buffer): string {
  const bytes = contentsOf(integer);
  return (bytes[0] === 0 ? bytes.subarray(1) : bytes).toString('base64url');
}

/** ECPrivateKey with its point, which is not compressed (RFC 5915 §3, RFC 5480 §2.2). */
function readEc(der: Buffer, { kind, length, algorithm }: typeof p256 | typeof p384): ReadKey | undefined {
  const [version, scalar, point, ...more] = wholeMembers(der);
  if (version?.equals(one) !== true || scalar?.[0] !== 0x04 || point?.[0] !== 0xa1 || more.length > 0)
    return undefined;
  const [d, bits] = [contentsOf(scalar), contentsOf(point)];
  const coordinates = contentsOf(bits).subarray(2);
  const isWhole = d.length === length && coordinates.length === 2 * length;
  if (!isWhole || !bits.equals(pointBits(coordinates))) return undefined;
  return {
    kind,
    publicDer: sequence(algorithm, bits),
    jwk: {
      kty: 'EC',
      crv: kind,
      x: coordinates.subarray(0, length).toString('base64url'),
      y: coordinates.subarray(length).toString('base64url'),
      d: d.toString('base64url'),
    },
  };
}

/** PKCS#8 of a P-256 key, in the bytes that OpenSSL writes. */
export function p256Pkcs8({ d, x, y }: EcNumbers): Buffer {
  const coordinates = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return ecPkcs8(p256.algorithm, Buffer.from(d, 'base64url'), pointBits(coordinates));
}

/** PKCS#8 of a key of a curve with its point (RFC 5915 §3). */
export function ecPkcs8(algorithm: Buffer, secret: Buffer, point: Buffer): Buffer {
  return sequence(zero, algorithm, octetString(sequence(one, octetString(secret), explicit(1, point))));
}

/** A point whose coordinates both follow (RFC 5480 §2.2). */
export function pointBits(coordinates: Buffer): Buffer {
  return bitString(Buffer.concat([Buffer.of(4), coordinates]));
}

/** The members of a SEQUENCE that has all the bytes; none of any other value. */
function wholeMembers(der: Buffer): readonly Buffer[] {
  const contents = contentsOf(der);
  return sequence(contents).equals(der) ? membersOf(contents) : [];
}
