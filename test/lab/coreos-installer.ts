import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The real program, if it was built: `test/lab/build-coreos-installer` takes some ten minutes on two cores. */
export function realCoreosInstaller(): string | undefined {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
  const path = join(cache, 'sno-install/tools/coreos-installer-0.27.0/coreos-installer');
  return existsSync(path) ? path : undefined;
}

/** The program's files for a machine, by path below /usr. Empty if the stub is used. */
export function coreosInstaller(): Readonly<Record<string, string>> {
  const real = realCoreosInstaller();
  return real === undefined ? {} : { 'libexec/sno-lab/coreos-installer.real': real };
}
