import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { describe } from 'vitest';

import { pathOfProgram } from './programs.js';

/** Live images of CoreOS, cut down to what an installer looks at, stand beside the clone, not in it. */
const folder = '../shared/data/iso';

/** A suite over the fixtures of live images. Skipped where the folder is not there; in CI that is a failure. */
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

/** The bytes of a fixture. */
export function isoFixture(name: string): Buffer {
  return spawnSync(pathOfProgram('xz') ?? 'xz', ['-dc'], {
    input: readFileSync(join(folder, name)),
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;
}
