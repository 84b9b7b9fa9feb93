import { createHash } from 'node:crypto';

/** SHA-256, hex. */
export function sha256(contents: string | Uint8Array): string {
  return createHash('sha256').update(contents).digest('hex');
}
