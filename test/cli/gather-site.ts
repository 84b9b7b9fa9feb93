import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from '../support/scratch.js';
import { seededRsaKey } from '../support/seeded-keys.js';

export const rsaKey = seededRsaKey('bootstrap ssh', 2048);

export const label = 'key/rsa-2048/tls/bootstrap-ssh';

/** A cluster directory whose state file contains the SSH key. */
export function site(generatedValues: Readonly<Record<string, string>> = { [label]: rsaKey }): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  const state = { version: 2, generatedValues, environment: {} };
  writeFileSync(join(dir, '.sno-install-state.json'), JSON.stringify(state), { mode: 0o600 });
  return dir;
}

/** All files in a directory except the state file. */
export function filesIn(dir: string): readonly string[] {
  return readdirSync(dir).filter((name) => name !== '.sno-install-state.json');
}
