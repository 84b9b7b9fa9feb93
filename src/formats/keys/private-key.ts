import { createPrivateKey, createPublicKey, generateKeyPair, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { contentsOf, membersOf } from './der.js';
import { KeyPem } from './key-pem.js';

/** A parsed private key. */
export interface PrivateKey {
  readonly kind: 'RSA' | 'P-256' | 'P-384';
  /** PKCS#8 with a trailing newline if the key was generated here. */
  readonly pem: KeyPem;
  /** SubjectPublicKeyInfo. */
  readonly publicDer: Buffer;
  /** RSASSA-PKCS1-v1_5 with SHA-256. ECDSA in DER with SHA-256, or SHA-384 for P-384; ECDSA signatures are randomized. */
  sign(bytes: Uint8Array): Promise<Buffer>;
}

/** Throws if the text has no private key of a supported kind. */
export function privateKeyOf(pem: string): PrivateKey {
  return privateKeyFrom(createPrivateKey(pem), new KeyPem(pem));
}

/** Builds a key from a KeyObject and its PEM text. Throws if the kind is not supported. */
export function privateKeyFrom(object: KeyObject, pem = pkcs8Pem(object)): PrivateKey {
  const kind = kindOf(object);
  if (kind === undefined) throw new Error('internal error: a key of a kind that is never generated');
  return {
    kind,
    pem,
    publicDer: createPublicKey(object).export({ type: 'spki', format: 'der' }),
    sign: (bytes) => signed(object, kind, bytes),
  };
}

/** A key read from stored text, or the reason why it is not usable. */
export type StoredKey = { readonly value: PrivateKey } | { readonly fault: string };

/** Reads an RSA key of at least `bits` bits. */
export function readRsaKey(pem: string, bits: number): StoredKey {
  const key = keyObjectIn(pem);
  if (key === undefined) return { fault: 'it is not a private key in PEM' };
  if (key.asymmetricKeyType !== 'rsa') return { fault: 'it is not an RSA key' };
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < bits) return { fault: `its key has ${modulusLength} bits, expected ${bits}` };
  if (publicExponent < minExponent) return { fault: 'the exponent of its key is too small' };
  return { value: privateKeyFrom(key, new KeyPem(pem)) };
}

/** FIPS 186-5 §5.4: an odd exponent above 2^16. */
const minExponent = 65_537n;

export function readEcKey(pem: string, curve: 'P-256' | 'P-384'): StoredKey {
  const key = keyObjectIn(pem);
  if (key === undefined) return { fault: 'it is not a private key in PEM' };
  return kindOf(key) === curve
    ? { value: privateKeyFrom(key, new KeyPem(pem)) }
    : { fault: `it is not a ${curve} key` };
}

function keyObjectIn(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}

export function pkcs8Pem(key: KeyObject): KeyPem {
  return new KeyPem(key.export({ type: 'pkcs8', format: 'pem' }).toString());
}

/** Generates a key; returns PKCS#8 PEM. */
export async function generateEcKey(curve: 'P-256' | 'P-384'): Promise<KeyPem> {
  const { privateKey } = await promisify(generateKeyPair)('ec', { namedCurve: curve });
  return pkcs8Pem(privateKey);
}

/** Signatures that take less than a millisecond are made synchronously; the thread pool would cost more. */
async function signed(key: KeyObject, kind: PrivateKey['kind'], bytes: Uint8Array): Promise<Buffer> {
  const hash = kind === 'P-384' ? 'sha384' : 'sha256';
  const isQuick = kind === 'P-256' || (key.asymmetricKeyDetails?.modulusLength ?? Infinity) <= 2048;
  return isQuick
    ? sign(hash, bytes, key)
    : promisify<string, Uint8Array, KeyObject, Buffer>(sign)(hash, bytes, key);
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PrivateKey['kind'] | undefined {
  return asymmetricKeyType === 'rsa' ? 'RSA' : curves[asymmetricKeyDetails?.namedCurve ?? ''];
}

/** Source: openssl ecparam -list_curves */
const curves: Readonly<Partial<Record<string, PrivateKey['kind']>>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
};

/**
 * The public key as SPKI under the label `PUBLIC KEY`. Upstream writes `RSA PUBLIC KEY` over the same bytes, which openssl
 * cannot read; Kubernetes checks only the contents. Source: k8s.io/client-go util/keyutil
 */
export function publicKeyPem({ publicDer }: Pick<PrivateKey, 'publicDer'>): string {
  return pemOf('PUBLIC KEY', publicDer);
}

/** A private key and its public key, as a pair of files. */
export interface KeyPairPem {
  readonly keyPem: KeyPem;
  readonly publicKeyPem: string;
}

export function keyPairPem(key: PrivateKey): KeyPairPem {
  return { keyPem: key.pem, publicKeyPem: publicKeyPem(key) };
}

/** The subjectPublicKey bits: the point of a curve, or RSAPublicKey (RFC 8017 §A.1.1). */
export function publicBits({ publicDer }: Pick<PrivateKey, 'publicDer'>): Buffer {
  const [, bits = Buffer.alloc(0)] = membersOf(contentsOf(publicDer));
  // The first byte is the number of unused bits, always 0.
  return contentsOf(bits).subarray(1);
}

/** PEM with 64 columns and a trailing newline (RFC 7468). */
export function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
