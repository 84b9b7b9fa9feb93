import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** What a token is for. */
export type TokenUse = 'site' | 'viewer' | 'session';

/** 192 bits, of which nobody guesses any: as long as they are drawn. */
const tokenBytes = 24;

/**
 * The token of a name, such as a site: 32 characters of base64url. Another generation, and another use, is another token; who knows
 * tokens learns nothing of others. `key` is 256 bits in base64url. Source: HMAC as a pseudorandom function, RFC 2104 and NIST SP 800-108r1
 */
export function tokenOf(
  key: string,
  { use, name, generation }: { readonly use: TokenUse; readonly name: string; readonly generation: number },
): string {
  const message = [use, name, String(generation)].join('\0');
  return createHmac('sha256', Buffer.from(key, 'base64url'))
    .update(message)
    .digest()
    .subarray(0, tokenBytes)
    .toString('base64url');
}

/** Things by their token. How long a look-up takes says nothing of how much of a token was right: hashes are compared. */
export interface TokenTable<T> {
  find(token: string): T | undefined;
}

/** The table of things, each with its token. */
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
