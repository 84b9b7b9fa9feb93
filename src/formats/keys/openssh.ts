import { contentsOf, membersOf } from './der.js';
import { publicBits, type PrivateKey } from './private-key.js';

/** The authorized_keys line of a key, without comment. */
export function authorizedKey(key: Pick<PrivateKey, 'kind' | 'publicDer'>): string {
  const { kind } = key;
  const bits = publicBits(key);
  if (kind !== 'RSA') return lineOf(`ecdsa-sha2-${curveNames[kind]}`, [Buffer.from(curveNames[kind]), bits]);
  // RFC 8017 §A.1.1: modulus, exponent. An mpint (RFC 4251 §5) has the contents of an INTEGER.
  const [n = Buffer.alloc(0), e = Buffer.alloc(0)] = membersOf(contentsOf(bits)).map(contentsOf);
  return lineOf('ssh-rsa', [e, n]);
}

/** Source: RFC 5656 §10.1 */
const curveNames = { 'P-256': 'nistp256', 'P-384': 'nistp384' } as const;

/** Source: RFC 4253 §6.6, RFC 5656 §3.1 */
function lineOf(type: string, fields: readonly Buffer[]): string {
  const blob = Buffer.concat([Buffer.from(type), ...fields].flatMap((field) => [length(field), field]));
  return `${type} ${blob.toString('base64')}`;
}

function length(field: Buffer): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(field.length);
  return bytes;
}
