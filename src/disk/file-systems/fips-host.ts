import { readFileSync } from 'node:fs';

import { procPath } from './proc.js';

/**
 * Whether the kernel of this host runs in FIPS mode: `crypto.fips_enabled` is 1 (docs.kernel.org/admin-guide/sysctl/crypto.html).
 * Without the file, it does not.
 */
export function isFipsHost(path = procPath('sys', 'crypto', 'fips_enabled')): boolean {
  if (path === undefined) return false;
  try {
    return readFileSync(path, 'utf8').trim() === '1';
  } catch {
    return false;
  }
}
