import type { IgnitionUser } from '../../ignition/types.js';

/** The user of every CoreOS with the user's keys, one a line, and further ones; each once. */
export function coreUser(sshKey: string, ...more: readonly string[]): IgnitionUser {
  const lines = [...sshKey.split('\n'), ...more].map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  return { name: 'core', sshAuthorizedKeys: [...new Set(keys)] };
}
