import { randomBytes } from 'node:crypto';

/** A key for download tokens: 256 bits in base64url. */
export function generateTokenKey(): string {
  return randomBytes(32).toString('base64url');
}
