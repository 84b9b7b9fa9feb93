import { chmodSync, cpSync, existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { templatesFrom } from '../../src/disk/program-files/templates.js';
import { problemsText } from '../../src/run/problem-text.js';
import { problemsOf } from '../../src/core/result.js';
import { stateFileName } from '../../src/disk/state/state-file.js';
import { check } from '../../src/run/run.js';
import { snapshot } from '../support/command.js';
import { readTree } from '../support/read-tree.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { throwawayState } from '../support/throwaway-state.js';

const folder = 'fixtures/invalid';
const isUpdate = process.env['UPDATE_GOLDEN'] === '1';
const all = readdirSync(folder).toSorted();
const cases = isUpdate ? all : all;

/** The target that reports the problem of a case. */
function targetOf(name: string): 'single-node-ignition-config' | 'aio-ignition' {
  return name.startsWith('aio--') ? 'aio-ignition' : 'single-node-ignition-config';
}

const states = { 'single-node-ignition-config': '', 'aio-ignition': '' };
beforeAll(async () => {
  const clock = { clock: '2026-01-02T03:04:05.000Z' };
  const files = { 'install-config.yaml': minimalInstallConfig };
  states['single-node-ignition-config'] = await throwawayState(files, clock);
  const withPrograms = readTree('fixtures/configs/aio-minimal');
  states['aio-ignition'] = await throwawayState(withPrograms, clock, 'aio-ignition');
});

/** The stderr of `validate` on a copy of the case. Checks that the copy stays unchanged. */
async function stderrOf(name: string): Promise<string> {
  const scratch = scratchFolder();
  const dir = join(scratch, 'site');
  cpSync(join(folder, name), dir, { recursive: true, filter: (path) => !path.endsWith('/stderr.txt') });
  writeFileSync(join(scratch, 'state.json'), states[targetOf(name)], { mode: 0o600 });
  // Git does not store the mode of the state file, which runs require to be 0600.
  const ownState = join(dir, stateFileName);
  if (existsSync(ownState)) chmodSync(ownState, 0o600);
  const before = snapshot(dir);
  const result = await check({
    dir,
    target: targetOf(name),
    stateFile: join(scratch, 'state.json'),
    command: 'sno-install validate',
    variables: {},
    present: new Date('2026-01-02T03:04:05Z'),
    isFipsHost: false,
    templates: templatesFrom('templates'),
  });
  expect(snapshot(dir)).toEqual(before);
  return problemsText(problemsOf(result), { dir, isReadOnly: true }).replaceAll(dir, 'site');
}

describe('reports an invalid input as in its stderr.txt', () => {
  it.each(cases)('%s', async (name) => {
    const path = join(folder, name, 'stderr.txt');
    const stderr = await stderrOf(name);
    const want = existsSync(path) ? readFileSync(path, 'utf8') : '';
    if (isUpdate) writeFileSync(path, stderr);

    expect(stderr).toBe(want);
    expect(stderr).toContain(`[${name.replace('--', '/').replace(/\..*$/, '')}]`);
  });
});
