import { randomBytes } from 'node:crypto';

/** A key that tokens are made of, 256 bits, in base64url. */
export function drawTokenKey(): string {
  return randomBytes(32).toString('base64url');
}
