import { createHash, sign, verify, type KeyObject } from 'node:crypto';

import { curveIn, readSshPublic, sshCurves } from './ssh-public.js';
import { mpintOf, sshFields, sshString, withoutZeros } from './ssh-wire.js';

/** Source of all names and field orders here: openssh-portable PROTOCOL.sshsig */
const magic = Buffer.from('SSHSIG');
const version = 1;
const hashes = ['sha512', 'sha256'];
const firstLine = '-----BEGIN SSH SIGNATURE-----';
const end = '-----END SSH SIGNATURE-----';
/** Line length of ssh-keygen. Source: openssh-portable sshbuf-misc.c, sshbuf_dtob64_string */
const columns = 70;

/** A private key and its SSH public key blob. */
export interface SshSigner {
  readonly key: KeyObject;
  readonly publicBlob: Buffer;
}

/** Signs a message in the format of `ssh-keygen -Y sign`. ECDSA signatures differ on each call. */
export function sshSign({ key, publicBlob }: SshSigner, message: Uint8Array, namespace: string): string {
  const [hash = ''] = hashes;
  const signature = rawSignature(key, typeOf(publicBlob), signedData(message, { namespace, hash }));
  const number = Buffer.alloc(4);
  number.writeUInt32BE(version);
  const parts = [publicBlob, namespace, '', hash, signature].map(sshString);
  const lines =
    Buffer.concat([magic, number, ...parts])
      .toString('base64')
      .match(new RegExp(`.{1,${columns}}`, 'g')) ?? [];
  return [firstLine, ...lines, end, ''].join('\n');
}

function typeOf(publicBlob: Buffer): string {
  return sshFields(publicBlob)?.[0]?.toString('latin1') ?? '';
}

function signedData(
  message: Uint8Array,
  {
    namespace,
    hash,
    reserved = '',
  }: { readonly namespace: string; readonly hash: string; readonly reserved?: string | Buffer },
): Buffer {
  const digest = createHash(hash).update(message).digest();
  return Buffer.concat([magic, ...[namespace, reserved, hash, digest].map(sshString)]);
}

/** Source: RFC 8332 §3, RFC 5656 §3.1.2, RFC 8709 §6 */
function rawSignature(key: KeyObject, type: string, data: Buffer): Buffer {
  const curve = sshCurves[curveIn(type)];
  if (curve !== undefined) {
    const both = sign(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' });
    const numbers = [both.subarray(0, curve.bytes), both.subarray(curve.bytes)].map(mpintOf).map(sshString);
    return Buffer.concat([sshString(type), sshString(Buffer.concat(numbers))]);
  }
  return type === 'ssh-rsa'
    ? Buffer.concat(['rsa-sha2-512', sign('sha512', data, key)].map(sshString))
    : Buffer.concat([type, sign(null, data, key)].map(sshString));
}

/** Public key of a valid signature, or the reason why it is not valid. */
export type SshVerdict =
  | { readonly ok: true; readonly publicBlob: Buffer }
  /** Reason, as the end of a sentence. */
  | { readonly ok: false; readonly fault: string };

/** Verifies the signature of a message and returns its public key. Does not check who owns the key. */
export function sshVerify(text: string, message: Uint8Array, namespace: string): SshVerdict {
  const bytes = unarmored(text);
  const fields = bytes && sshFields(bytes.subarray(magic.length + 4));
  if (bytes === undefined || fields?.length !== 5) return fault('it is not an SSH signature');
  if (bytes.readUInt32BE(magic.length) !== version) return fault('its version is not supported');
  const [publicBlob = magic, space = magic, reserved = magic, hashName = magic, signature = magic] = fields;
  if (space.toString('utf8') !== namespace) return fault(`it is for another purpose than ${namespace}`);
  const hash = hashName.toString('latin1');
  if (!hashes.includes(hash)) return fault('its hash is neither sha256 nor sha512');
  const signer = readSshPublic(publicBlob);
  if (signer === undefined)
    return fault('its key type is not supported: `ssh-keygen -Y verify` supports more types');
  const data = signedData(message, { namespace, hash, reserved });
  return isSigned(signer.key, signer.type, { data, signature })
    ? { ok: true, publicBlob }
    : fault('it is not of this receipt');
}

function fault(text: string): SshVerdict {
  return { ok: false, fault: text };
}

function unarmored(text: string): Buffer | undefined {
  const [, base64] =
    /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/=\r\n]+)-----END SSH SIGNATURE-----\s*$/.exec(
      text.replaceAll('\r\n', '\n'),
    ) ?? [];
  const bytes = base64 === undefined ? undefined : Buffer.from(base64, 'base64');
  return bytes !== undefined &&
    bytes.length > magic.length + 4 &&
    bytes.subarray(0, magic.length).equals(magic)
    ? bytes
    : undefined;
}

/** Each key type has one signature format, except RSA with two; SHA-1 is rejected. */
function isSigned(
  key: KeyObject,
  type: string,
  { data, signature }: { readonly data: Buffer; readonly signature: Buffer },
): boolean {
  const [name, raw, ...others] = sshFields(signature) ?? [];
  if (name === undefined || raw === undefined || others.length > 0) return false;
  const algorithm = name.toString('latin1');
  const curve = sshCurves[curveIn(type)];
  if (type === 'ssh-rsa') {
    const hash = /^rsa-sha2-(256|512)$/.exec(algorithm)?.[1];
    return hash !== undefined && verify(`sha${hash}`, data, key, raw);
  }
  if (algorithm !== type) return false;
  if (curve === undefined) return verify(null, data, key, raw);
  const numbers = (sshFields(raw) ?? []).map(withoutZeros);
  if (numbers.length !== 2 || numbers.some(({ length }) => length > curve.bytes)) return false;
  const both = numbers.map((part) => Buffer.concat([Buffer.alloc(curve.bytes - part.length), part]));
  return verify(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' }, Buffer.concat(both));
}
