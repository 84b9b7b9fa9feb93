import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';

import { mpintOf, sshFields, sshString, withoutZeros } from './ssh-wire.js';

/** ECDSA curves by their name in the key type, with the hash used for signing. Source: RFC 5656 §6.2.1 and §10.1 */
export const sshCurves: Readonly<
  Record<string, { readonly crv: string; readonly hash: string; readonly bytes: number }>
> = {
  nistp256: { crv: 'P-256', hash: 'sha256', bytes: 32 },
  nistp384: { crv: 'P-384', hash: 'sha384', bytes: 48 },
  nistp521: { crv: 'P-521', hash: 'sha512', bytes: 66 },
};

/** The curve in a key type, such as `nistp256`; empty for other types. */
export function curveIn(type: string): string {
  return /^ecdsa-sha2-(nistp\d+)$/.exec(type)?.[1] ?? '';
}

/** An SSH public key. */
export interface SshPublic {
  /** Such as `ssh-ed25519`. */
  readonly type: string;
  readonly key: KeyObject;
}

/** OpenSSH rejects shorter RSA keys. Source: openssh-portable sshkey.h, SSH_RSA_MINIMUM_MODULUS_SIZE */
const minRsaBits = 1024;
/** OpenSSH rejects longer RSA keys. Source: openssh-portable sshbuf.h, SSHBUF_MAX_BIGNUM */
const maxRsaBits = 16384;

/** Reads a key blob in wire format. Undefined if it is invalid or of an unsupported type: certificates, hardware keys, DSA. */
export function readSshPublic(blob: Buffer): SshPublic | undefined {
  const fields = sshFields(blob);
  const type = fields?.[0]?.toString('latin1') ?? '';
  const jwk = jwkOf(type, fields?.slice(1) ?? []);
  if (jwk === undefined) return undefined;
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? minRsaBits;
    return bits < minRsaBits || bits > maxRsaBits ? undefined : { type, key };
  } catch {
    return undefined;
  }
}

/** Source: RFC 4253 §6.6, RFC 5656 §3.1, RFC 8709 §4 */
function jwkOf(type: string, fields: readonly Buffer[]): JsonWebKey | undefined {
  const [first, second] = fields;
  if (first === undefined) return undefined;
  if (type === 'ssh-ed25519' && fields.length === 1 && first.length === 32)
    return { kty: 'OKP', crv: 'Ed25519', x: base64url(first) };
  if (second === undefined || fields.length !== 2) return undefined;
  if (type === 'ssh-rsa')
    return { kty: 'RSA', e: base64url(withoutZeros(first)), n: base64url(withoutZeros(second)) };
  const name = curveIn(type);
  const curve = sshCurves[name];
  // Uncompressed point (SEC 1 §2.3.3).
  if (curve === undefined || first.toString('latin1') !== name) return undefined;
  if (second.length !== 1 + 2 * curve.bytes || second[0] !== 4) return undefined;
  const [x, y] = [second.subarray(1, 1 + curve.bytes), second.subarray(1 + curve.bytes)];
  return { kty: 'EC', crv: curve.crv, x: base64url(x), y: base64url(y) };
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

/** The blob of a public key in wire format; undefined if SSH has no type for it. */
export function sshPublicBlob(key: KeyObject): Buffer | undefined {
  const { kty, crv, n, e, x, y } = key.export({ format: 'jwk' });
  const bytes = (text: unknown): Buffer => Buffer.from(typeof text === 'string' ? text : '', 'base64url');
  if (kty === 'RSA')
    return Buffer.concat([sshString('ssh-rsa'), sshString(mpintOf(bytes(e))), sshString(mpintOf(bytes(n)))]);
  if (kty === 'OKP' && crv === 'Ed25519')
    return Buffer.concat([sshString('ssh-ed25519'), sshString(bytes(x))]);
  const name = Object.keys(sshCurves).find((each) => sshCurves[each]?.crv === crv);
  if (kty !== 'EC' || name === undefined) return undefined;
  const point = Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]);
  return Buffer.concat([sshString(`ecdsa-sha2-${name}`), sshString(name), sshString(point)]);
}
