import { createHmac, hash, timingSafeEqual } from 'node:crypto';

import type { Redacted } from '../../core/redacted.js';

export type TokenUse = 'site' | 'viewer' | 'session' | 'metrics';

/** 192 bits, too many to guess. */
const tokenBytes = 24;

/**
 * Derives a token: 32 characters of base64url. Tokens of different names, uses and generations are independent. `key` is 256 bits
 * in base64url. Source: HMAC as a pseudorandom function, RFC 2104 and NIST SP 800-108r1
 */
export function tokenOf(
  key: Redacted<string>,
  { use, name, generation }: { readonly use: TokenUse; readonly name: string; readonly generation: number },
): string {
  const message = [use, name, String(generation)].join('\0');
  return createHmac('sha256', Buffer.from(key.reveal(), 'base64url'))
    .update(message)
    .digest()
    .subarray(0, tokenBytes)
    .toString('base64url');
}

/** Values by token. Lookups compare hashes, so their timing reveals nothing about a token. */
export interface TokenTable<T> {
  find(token: string): T | undefined;
}

export function tokenTable<T>(entries: Iterable<readonly [token: string, value: T]>): TokenTable<T> {
  const byHash = new Map<string, { readonly hash: Buffer; readonly value: T }>();
  for (const [token, value] of entries) {
    const hash = hashOf(token);
    byHash.set(hash.toString('latin1'), { hash, value });
  }
  return {
    find: (token) => {
      const hash = hashOf(token);
      const found = byHash.get(hash.toString('latin1'));
      return found !== undefined && timingSafeEqual(found.hash, hash) ? found.value : undefined;
    },
  };
}

function hashOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
