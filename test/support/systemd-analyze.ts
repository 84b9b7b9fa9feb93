import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Adds systemd's own units to those of a root. */
export function addSystemUnits(root: string): void {
  cpSync('/usr/lib/systemd/system', join(root, 'usr/lib/systemd/system'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.service') || basename(path).startsWith('systemd-'),
  });
}

/** The output lines of `systemd-analyze verify` for units in a root. */
export function complaintsOfSystemd(root: string, units: readonly string[]): readonly string[] {
  const args = ['verify', '--man=no', `--root=${root}`, ...units];
  const { stdout, stderr, error } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
  if (error) throw error;
  return `${stdout}${stderr}`.split('\n').filter((line) => line !== '');
}
