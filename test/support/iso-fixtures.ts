import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { describe } from 'vitest';

import { pathOfProgram } from './programs.js';

/** Folder of reduced CoreOS live images with only the data that an installer reads. It is next to the clone, not in it. */
const folder = '../shared/data/iso';

/** A suite over the live image fixtures. Skipped if the folder is missing; in CI that is a failure. */
export function describeWithIsos(title: string, suite: (names: readonly string[]) => void): void {
  if (existsSync(folder)) {
    const names = readdirSync(folder).filter((name) => /^embed-areas-.*\.iso\.xz$/.test(name));
    describe(title, () => {
      suite(names);
    });
    return;
  }
  const missing = `${title} (needs ${folder}: embed-areas-*.iso.xz of coreos-installer, fixtures/iso)`;
  if (process.env['CI'] !== undefined) throw new Error(missing);
  describe.skip(missing, () => {
    suite(['']);
  });
}

export function isoFixture(name: string): Buffer {
  return spawnSync(pathOfProgram('xz') ?? 'xz', ['-dc'], {
    input: readFileSync(join(folder, name)),
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;
}
