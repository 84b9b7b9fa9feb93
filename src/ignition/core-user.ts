import type { IgnitionUser } from './types.js';

/** The user of every CoreOS with the user's keys, one a line, and further ones; each once. */
export function coreUser(sshKey: string, ...more: readonly string[]): IgnitionUser {
  const keys = sshKey === '' ? more : [...sshKey.split('\n'), ...more];
  return { name: 'core', sshAuthorizedKeys: [...new Set(keys)] };
}
