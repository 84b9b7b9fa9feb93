import { randomBytes } from 'node:crypto';

import { Redacted } from '../../core/redacted.js';

/** A key for download tokens: 256 bits in base64url. */
export function generateTokenKey(): Redacted<string> {
  return new Redacted(randomBytes(32).toString('base64url'));
}
