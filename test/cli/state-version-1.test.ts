import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { encryptAge } from '../../src/formats/age.js';
import { ageKeys } from '../support/age-keys.js';
import { snapshot } from '../support/command.js';
import { snoInProcess } from '../support/in-process.js';
import { minimalInstallConfig } from '../support/minimal-config.js';
import { scratchFolder } from '../support/scratch.js';
import { inVersion1 } from '../support/state-version-1.js';
import { throwawayState } from '../support/throwaway-state.js';

const stateName = '.sno-install-state.json';
const { recipient, identity } = ageKeys.ours;

/** A state after a run, with the clock and the signatures of that run. */
let state = '';
/** The files that the run wrote. */
let outputs: object = {};
beforeAll(async () => {
  const dir = site(await throwawayState({ 'install-config.yaml': minimalInstallConfig }));
  await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);
  state = readFileSync(join(dir, stateName), 'utf8');
  outputs = withoutState(dir);
});

function site(text: string): string {
  const dir = join(scratchFolder(), 'site');
  mkdirSync(dir);
  writeFileSync(join(dir, 'install-config.yaml'), minimalInstallConfig);
  writeFileSync(join(dir, stateName), text, { mode: 0o600 });
  return dir;
}

function withoutState(dir: string): object {
  return Object.fromEntries(Object.entries(snapshot(dir)).filter(([path]) => path !== stateName));
}

/** The state after 0.1.0, with a run of another build. */
function ofOldRun(): string {
  return inVersion1(state).replace(/"program": "[^"]*"/, '"program": "0"');
}

describe('a state of 0.1.0', () => {
  it('gives the same outputs, and is written in the current version once', async () => {
    const dir = site(ofOldRun());

    const first = await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);
    const once = readFileSync(join(dir, stateName), 'utf8');
    const again = await snoInProcess(['create', 'single-node-ignition-config', '--dir', dir]);

    expect([first.code, first.stderr, again.code]).toEqual([0, '', 0]);
    expect(withoutState(dir)).toEqual(outputs);
    expect([once, readFileSync(join(dir, stateName), 'utf8')]).toEqual([state, state]);
  });

  it('is the same if it is encrypted', async () => {
    const keys = join(scratchFolder(), 'identity.txt');
    writeFileSync(keys, `${identity}\n`, { mode: 0o600 });
    const text = ofOldRun().replace('"environment"', `"recipients": ["${recipient}"],\n  "environment"`);
    const dir = site(await encryptAge(text, { recipients: [recipient] }));
    const create = ['create', 'single-node-ignition-config', '--dir', dir, '--identity', keys];

    const first = await snoInProcess(create);
    const once = readFileSync(join(dir, stateName), 'utf8');
    const again = await snoInProcess(create);
    const opened = await snoInProcess(['state', 'decrypt', '--dir', dir, '--identity', keys, '--out', '-']);

    expect([first.code, first.stderr, again.code, opened.code]).toEqual([0, '', 0, 0]);
    expect(withoutState(dir)).toEqual(outputs);
    expect(readFileSync(join(dir, stateName), 'utf8')).toBe(once);
    const { recipients, ...rest } = JSON.parse(opened.stdout) as Record<string, unknown>;
    expect([recipients, rest]).toEqual([[recipient], JSON.parse(state)]);
  });
});
