import { spawnSync } from 'node:child_process';

import { describe } from 'vitest';

import { installCommand, pathOfProgram } from '../../scripts/system-programs.mjs';

export { pathOfProgram };

function hasProgram(name: string): boolean {
  return pathOfProgram(name) !== undefined;
}

/**
 * A suite that needs real programs. Where one is missing the suite is skipped and its title says which and how to
 * install it; in CI a missing program is a failure instead.
 */
export function describeWith(programs: readonly string[], title: string, suite: () => void): void {
  const missing = programs.filter((name) => !hasProgram(name));
  if (missing.length === 0 || process.env['CI'] !== undefined) {
    describe(title, suite);
    return;
  }
  const commands = [...new Set(missing.map((name) => installCommand(name)))];
  describe.skip(`${title} (needs ${missing.join(', ')}: ${commands.join('; ')})`, suite);
}

/** Whether the tests run as root, which the Ignition engine needs to set owners. */
export function isRoot(): boolean {
  return spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout.trim() === '0';
}
