import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { rolloutReader } from '../../../src/fleet/serving/rollout-reader.js';
import { serializeRolloutState, type RolloutState } from '../../../src/fleet/rollout/rollout-state.js';
import { scratchFolder } from '../../support/scratch.js';

const at = (day: number): string => `2026-11-0${day}T03:04:05Z`;

function state(operation: RolloutState['operation'], day: number): RolloutState {
  return {
    operation,
    until: 'install-complete',
    plan: '0'.repeat(64),
    state: 'running',
    startedAt: at(1),
    updatedAt: at(day),
    waves: [],
    sites: new Map([['north-1', { state: 'pending', attempts: 0 }]]),
  };
}

test('reads the newest rollout of each operation, newest first, and again after a change', () => {
  const folder = scratchFolder();
  const outputs = ['east', 'west'].map((name) => join(folder, name));
  for (const output of outputs) mkdirSync(output);
  const write = (place: number, name: string, text: string): void => {
    writeFileSync(join(outputs[place] ?? '', name), text);
  };
  const read = rolloutReader(() => outputs.map((output) => ({ dir: join(output, 'north-1') })));
  const shown = () => read().map(({ operation, state: current }) => [operation, current]);
  expect(shown()).toEqual([]);

  write(0, 'rollout.json', serializeRolloutState(state('boot', 2)));
  write(1, 'rollout.json', serializeRolloutState({ ...state('boot', 3), state: 'stopped' }));
  write(1, 'upgrade.json', serializeRolloutState(state('upgrade', 4)));
  write(0, 'reinstall.json', '{"version": 1}');
  expect(shown()).toEqual([
    ['upgrade', 'running'],
    ['boot', 'stopped'],
  ]);
  expect(read()).toBe(read());

  write(0, 'rollout.json', serializeRolloutState({ ...state('boot', 5), state: 'complete' }));
  expect(shown()).toEqual([
    ['boot', 'complete'],
    ['upgrade', 'running'],
  ]);
});
