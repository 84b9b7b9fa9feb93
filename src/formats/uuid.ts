import { createHash } from 'node:crypto';

/** Namespace of URLs. Source: RFC 9562 §6.6 */
const urlNamespace = Buffer.from('6ba7b8119dad11d180b400c04fd430c8', 'hex');

/** Deterministic UUID of a URL. Source: RFC 9562 §5.5, version 5 */
export function uuidOfUrl(url: string): string {
  const bytes = createHash('sha1').update(urlNamespace).update(url).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
