import { readFileSync } from 'node:fs';

import { procPath } from './proc.js';

/**
 * Reads whether the kernel of this host runs in FIPS mode; false without the file. Source: docs.kernel.org/admin-guide/sysctl/crypto.html,
 * crypto.fips_enabled
 */
export function isFipsHost(path = procPath('sys', 'crypto', 'fips_enabled')): boolean {
  if (path === undefined) return false;
  try {
    return readFileSync(path, 'utf8').trim() === '1';
  } catch {
    return false;
  }
}
