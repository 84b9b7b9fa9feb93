import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { beforeAll, describe } from 'vitest';

import { pathOfProgram } from '../../support/programs.js';
import { scaledMs } from '../../support/time-scale.js';

/**
 * A suite that uses the real Butane, built once per machine from the Go module that test/real/tools/butane pins. Without Go it is
 * skipped with a message; in CI it fails instead. `butane()` is the path of the program.
 */
export function describeWithButane(title: string, suite: (butane: () => string) => void): void {
  const hasGo = pathOfProgram('go') !== undefined || existsSync('/usr/local/go/bin/go');
  if (!hasGo && process.env['CI'] === undefined) {
    describe.skip(`${title} (needs go: see https://go.dev/doc/install)`, () => {
      suite(() => '');
    });
    return;
  }
  describe(title, () => {
    let program = '';
    // The first build on a machine downloads and compiles some twenty modules.
    beforeAll(() => {
      program = build();
    }, scaledMs(300_000));
    suite(() => program);
  });
}

/** The command is the package `internal` of its module, which gives the program its name. */
function build(): string {
  const { status, stdout, stderr } = spawnSync(resolve('test/real/tools/build'), ['butane'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`Butane cannot be built: ${stderr}`);
  return join(stdout.trim(), 'internal');
}
