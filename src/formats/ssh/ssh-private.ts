import { createPrivateKey, createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

import { curveIn, sshCurves, sshPublicBlob } from './ssh-public.js';
import { firstFields, withoutZeros } from './ssh-wire.js';

/** A private key, or the reason why the file is not usable, without quoting it. */
export type SshPrivateReading =
  | { readonly ok: true; readonly key: KeyObject; readonly publicBlob: Buffer }
  | { readonly ok: false; readonly fault: 'encrypted' | 'public' | 'hardware' | 'none' };

/** Reads unencrypted private keys in the formats of `ssh-keygen` and openssl. */
export function readSshPrivate(text: string): SshPrivateReading {
  if (/-----BEGIN ENCRYPTED|^Proc-Type: 4,ENCRYPTED/m.test(text)) return { ok: false, fault: 'encrypted' };
  if (/^(?:ssh|ecdsa|sk)-\S+ AAAA|-----BEGIN (?:SSH2 )?PUBLIC/m.test(text))
    return { ok: false, fault: 'public' };
  const [, base64] = /-----BEGIN OPENSSH PRIVATE KEY-----([^-]*)-----END OPENSSH/.exec(text) ?? [];
  const jwk = base64 === undefined ? undefined : openSshKey(Buffer.from(base64, 'base64'));
  if (typeof jwk === 'string') return { ok: false, fault: jwk };
  try {
    const key = createPrivateKey(jwk === undefined ? text : { key: jwk, format: 'jwk' });
    const publicBlob = sshPublicBlob(createPublicKey(key));
    return publicBlob === undefined ? { ok: false, fault: 'none' } : { ok: true, key, publicBlob };
  } catch {
    return { ok: false, fault: 'none' };
  }
}

const magic = Buffer.from('openssh-key-v1\0');

/** Source: openssh-portable PROTOCOL.key */
function openSshKey(bytes: Buffer): JsonWebKey | 'encrypted' | 'hardware' | 'none' {
  if (!bytes.subarray(0, magic.length).equals(magic)) return 'none';
  const outer = firstFields(bytes.subarray(magic.length), 3);
  if (outer === undefined) return 'none';
  if (outer.fields[0]?.toString('latin1') !== 'none') return 'encrypted';
  // The number of keys (always one) precedes the keys; two equal check numbers precede the private part.
  const keys = firstFields(outer.rest.subarray(4), 2);
  const typed = firstFields(keys?.fields[1]?.subarray(8) ?? Buffer.alloc(0), 1);
  if (typed === undefined) return 'none';
  const type = typed.fields[0]?.toString('latin1') ?? '';
  return type.startsWith('sk-') ? 'hardware' : (privateJwk(type, typed.rest) ?? 'none');
}

/** Converts to a JSON Web Key. Source: openssh-portable PROTOCOL.key, RFC 7517, RFC 7518 §6, RFC 8037 */
function privateJwk(type: string, bytes: Buffer): JsonWebKey | undefined {
  const take = (count: number): readonly Buffer[] => firstFields(bytes, count)?.fields ?? [];
  const text = (part: Buffer): string => part.toString('base64url');
  if (type === 'ssh-ed25519') {
    const [x, seedAndX] = take(2);
    return x && seedAndX && { kty: 'OKP', crv: 'Ed25519', x: text(x), d: text(seedAndX.subarray(0, 32)) };
  }
  if (type === 'ssh-rsa') return rsaJwk(take(6).map(withoutZeros));
  const curve = sshCurves[curveIn(type)];
  const [, point, scalar] = take(3);
  if (curve === undefined || point === undefined || scalar === undefined) return undefined;
  const d = withoutZeros(scalar);
  if (point.length !== 1 + 2 * curve.bytes || d.length > curve.bytes) return undefined;
  return {
    kty: 'EC',
    crv: curve.crv,
    x: text(point.subarray(1, 1 + curve.bytes)),
    y: text(point.subarray(1 + curve.bytes)),
    d: text(Buffer.concat([Buffer.alloc(curve.bytes - d.length), d])),
  };
}

function rsaJwk([n, e, d, qi, p, q]: readonly Buffer[]): JsonWebKey | undefined {
  if (!n || !e || !d || !qi || !p || !q) return undefined;
  const text = (part: Buffer): string => part.toString('base64url');
  const exponent = (prime: Buffer): string => {
    const hex = (numberOf(d) % (numberOf(prime) - 1n)).toString(16);
    return Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex').toString('base64url');
  };
  const primes = { p: text(p), q: text(q), dp: exponent(p), dq: exponent(q), qi: text(qi) };
  return { kty: 'RSA', n: text(n), e: text(e), d: text(d), ...primes };
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex') || '0'}`);
}
