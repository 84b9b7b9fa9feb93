import { createPrivateKey, createPublicKey, sign, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';

import { contentsOf, membersOf } from './der.js';
import { readPkcs8 } from './pkcs8.js';

/** A private key by what is asked of it. */
export interface PrivateKey {
  readonly kind: 'RSA' | 'P-256' | 'P-384';
  /** PKCS#8, with a trailing newline, for what is drawn. */
  readonly pem: string;
  /** SubjectPublicKeyInfo. */
  readonly publicDer: Buffer;
  /** Signs with SHA-256, with P-384 SHA-384: RSASSA-PKCS1-v1_5, or ECDSA in DER, where chance takes part. */
  sign(bytes: Uint8Array): Promise<Buffer>;
}

/** The key that a PEM text holds. OpenSSL gets it when it signs, which most keys of a cluster never do here. Throws where it is none. */
export function privateKeyOf(pem: string): PrivateKey {
  const { kind, publicDer, object } = readKey(pem);
  let key: KeyObject | undefined;
  return {
    kind,
    pem,
    publicDer,
    sign: (bytes) => signed((key ??= object()), kind, bytes),
  };
}

interface KnownKey extends Pick<PrivateKey, 'kind' | 'publicDer'> {
  readonly object: () => KeyObject;
}

function readKey(pem: string): KnownKey {
  const known = readPkcs8(pem);
  if (known !== undefined)
    return { ...known, object: () => createPrivateKey({ key: known.jwk, format: 'jwk' }) };
  const key = createPrivateKey(pem);
  const publicDer = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return { kind: kindOf(key), publicDer, object: () => key };
}

/** What takes less than a millisecond is not worth handing to the thread pool. */
async function signed(key: KeyObject, kind: PrivateKey['kind'], bytes: Uint8Array): Promise<Buffer> {
  const hash = kind === 'P-384' ? 'sha384' : 'sha256';
  const isQuick = kind === 'P-256' || (key.asymmetricKeyDetails?.modulusLength ?? Infinity) <= 2048;
  return isQuick
    ? sign(hash, bytes, key)
    : promisify<string, Uint8Array, KeyObject, Buffer>(sign)(hash, bytes, key);
}

function kindOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): PrivateKey['kind'] {
  if (asymmetricKeyType === 'rsa') return 'RSA';
  const kind = curves[asymmetricKeyDetails?.namedCurve ?? ''];
  if (kind === undefined) throw new Error('internal error: a key of a kind that is never drawn');
  return kind;
}

/** Source: openssl ecparam -list_curves */
const curves: Readonly<Partial<Record<string, PrivateKey['kind']>>> = {
  prime256v1: 'P-256',
  secp384r1: 'P-384',
};

/**
 * The public half: SPKI under the label that names it. Upstream writes `RSA PUBLIC KEY` over the same bytes, which openssl
 * cannot read; Kubernetes goes by the contents. Source: k8s.io/client-go util/keyutil
 */
export function publicKeyPem({ publicDer }: Pick<PrivateKey, 'publicDer'>): string {
  return pemOf('PUBLIC KEY', publicDer);
}

/** What a SubjectPublicKeyInfo says of the key itself: the point of a curve, or RSAPublicKey (RFC 8017 §A.1.1). */
export function publicBits({ publicDer }: Pick<PrivateKey, 'publicDer'>): Buffer {
  const [, bits = Buffer.alloc(0)] = membersOf(contentsOf(publicDer));
  // The first byte counts unused bits, of which there are none.
  return contentsOf(bits).subarray(1);
}

/** DER as PEM, 64 columns, with a trailing newline (RFC 7468). */
export function pemOf(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
