import { createPublicKey } from 'node:crypto';

/** The line of authorized_keys for an RSA or elliptic-curve key given as PEM, without a comment. */
export function authorizedKey(keyPem: string): string {
  const { kty, n = '', e = '', crv = '', x = '', y = '' } = createPublicKey(keyPem).export({ format: 'jwk' });
  if (kty === 'RSA') return lineOf('ssh-rsa', [positive(e), positive(n)]);
  const curve = curveNames[crv];
  if (curve === undefined)
    throw new Error(`internal error: no OpenSSH name for a key of kind ${kty ?? ''} ${crv}`);
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return lineOf(`ecdsa-sha2-${curve}`, [Buffer.from(curve), point]);
}

/** Source: RFC 5656 §10.1 */
const curveNames: Readonly<Record<string, string>> = { 'P-256': 'nistp256', 'P-384': 'nistp384' };

/** Source: RFC 4253 §6.6, RFC 5656 §3.1 */
function lineOf(type: string, fields: readonly Buffer[]): string {
  const blob = Buffer.concat([Buffer.from(type), ...fields].flatMap((field) => [length(field), field]));
  return `${type} ${blob.toString('base64')}`;
}

/** An mpint (RFC 4251 §5): a leading zero byte keeps a number whose top bit is set positive. */
function positive(base64url: string): Buffer {
  const bytes = Buffer.from(base64url, 'base64url');
  return (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
}

function length(field: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(field.length);
  return bytes;
}
