import { createPublicKey } from 'node:crypto';

/** The line of authorized_keys for an RSA key given as PEM, without a comment. Source: RFC 4253 §6.6 */
export function authorizedRsaKey(keyPem: string): string {
  const { n = '', e = '' } = createPublicKey(keyPem).export({ format: 'jwk' });
  const fields = [Buffer.from('ssh-rsa'), positive(e), positive(n)];
  const blob = Buffer.concat(fields.flatMap((field) => [length(field), field]));
  return `ssh-rsa ${blob.toString('base64')}`;
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
