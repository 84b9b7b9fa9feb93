import { chmodSync, cpSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect } from 'vitest';

import { templatesFrom } from '../../../../src/disk/program-files/templates.js';
import { problemsOf } from '../../../../src/core/result.js';
import { stateFileName } from '../../../../src/disk/state/state-file.js';
import { check, run, type RunOptions } from '../../../../src/run/run.js';
import { readTree } from '../../../support/read-tree.js';
import { minimalInstallConfig } from '../../../support/minimal-config.js';
import { scratchFolder } from '../../../support/scratch.js';
import { throwawayState } from '../../../support/throwaway-state.js';

type Judged = 'single-node-ignition-config' | 'aio-ignition';

interface Site {
  readonly name: string;
  readonly target: Judged;
}

/** All fixture directories that a dry run accepts, each with its target. */
export const sites: readonly Site[] = ['fixtures/invalid', 'fixtures/configs'].flatMap((folder) =>
  readdirSync(folder)
    .toSorted()
    .map((name) => ({ name: join(folder, name), target: targetOf(name) })),
);

function targetOf(name: string): Judged {
  return name.startsWith('aio-') ? 'aio-ignition' : 'single-node-ignition-config';
}

/** States with prepared keys; they avoid generating most of them here. */
const states = { 'single-node-ignition-config': '', 'aio-ignition': '' };
/** Generates the keys of `stateFileOf` before the tests of the calling file. */
export function drawStates(): void {
  beforeAll(async () => {
    const clock = { clock: '2026-01-02T03:04:05.000Z' };
    const files = { 'install-config.yaml': minimalInstallConfig };
    states['single-node-ignition-config'] = await throwawayState(files, clock);
    states['aio-ignition'] = await throwawayState(
      readTree('fixtures/configs/aio-minimal'),
      clock,
      'aio-ignition',
    );
  });
}

/** A copy of a site's files in a new folder. */
export function copyOf(site: string): string {
  const dir = join(scratchFolder(), 'site');
  cpSync(site, dir, { recursive: true, filter: (path) => !path.endsWith('/stderr.txt') });
  // Git does not store the mode of the state file, which runs require to be 0600.
  if (existsSync(join(dir, stateFileName))) chmodSync(join(dir, stateFileName), 0o600);
  return dir;
}

/** Options of a run for a target, at a fixed time. */
export function requestFor(dir: string, target: Judged, stateFile?: string): RunOptions {
  return {
    dir,
    target,
    command: 'test',
    variables: { SOURCE_DATE_EPOCH: '1767323045' },
    present: new Date('2026-01-02T03:04:05Z'),
    templates: templatesFrom('templates'),
    ...(stateFile !== undefined && { stateFile }),
  };
}

/** The path of a state file with the generated values of a target. */
export function stateFileOf(target: Judged): string {
  const path = join(scratchFolder(), 'state.json');
  writeFileSync(path, states[target], { mode: 0o600 });
  return path;
}

/** Checks the problems of a dry run against those of the real run: without a state, with one, and after the run. */
export async function expectEqualDryRun({ name, target }: Site): Promise<void> {
  const dir = copyOf(name);
  const stateFile = stateFileOf(target);

  const without = await check(requestFor(dir, target));
  const before = await check(requestFor(dir, target, stateFile));
  const made = await run(requestFor(dir, target, stateFile));
  const after = made.ok ? await check(requestFor(dir, target)) : made;

  expect(problemsOf(before)).toEqual(problemsOf(made));
  expect(problemsOf(without)).toEqual(problemsOf(made));
  expect(problemsOf(after)).toEqual(problemsOf(made));
}
