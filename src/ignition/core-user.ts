import type { IgnitionUser } from './types.js';

/** User core with the user's SSH keys (one per line) and further ones, without duplicates. */
export function coreUser(sshKey: string, ...more: readonly string[]): IgnitionUser {
  const keys = sshKey === '' ? more : [...sshKey.split('\n'), ...more];
  return { name: 'core', sshAuthorizedKeys: [...new Set(keys)] };
}
