import { spawnSync } from 'node:child_process';

import { describe } from 'vitest';

import { installCommand, pathOfProgram } from '../../scripts/system-programs.mjs';

export { pathOfProgram };

function hasProgram(name: string): boolean {
  return pathOfProgram(name) !== undefined;
}

/**
 * A suite that needs real programs. If one is missing, the suite is skipped and its title names the program and how to
 * install it. In CI a missing program is a failure.
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

/** The Ignition engine needs root to set owners. */
export function isRoot(): boolean {
  return spawnSync('id', ['-u'], { encoding: 'utf8' }).stdout.trim() === '0';
}
