import { expect, it, test } from 'vitest';

import {
  countSites,
  readRolloutState,
  serializeRolloutState,
  type RolloutState,
} from '../../../src/fleet/rollout/rollout-state.js';

const [startedAt, finishedAt] = ['2026-11-27T12:00:00Z', '2026-11-27T13:00:00Z'];
const state: RolloutState = {
  operation: 'boot',
  until: 'install-complete',
  plan: 'ab',
  state: 'waiting',
  startedAt,
  updatedAt: finishedAt,
  message: 'wave 1 starts later',
  waves: [
    { name: 'canary', state: 'done', startedAt, finishedAt },
    { name: '1', state: 'pending' },
  ],
  sites: new Map([
    [
      'lab-1',
      {
        wave: 'canary',
        state: 'done',
        startedAt,
        bootedAt: startedAt,
        finishedAt,
        attempts: 1,
        status: 'up',
      },
    ],
    ['lab-2', { wave: 'canary', state: 'failed', startedAt, finishedAt, attempts: 2, cause: 'no answer' }],
    ['north-1', { wave: '1', state: 'starting', attempts: 1 }],
    ['south-1', { state: 'held', attempts: 0 }],
  ]),
};

it('is read as it was written', () => {
  expect(readRolloutState(serializeRolloutState(state), 'rollout.json')).toEqual({
    ok: true,
    value: state,
    warnings: [],
  });
});

it('counts sites', () => {
  expect(countSites(state.sites.values())).toEqual({ done: 1, failed: 1, waiting: 1, pending: 0, held: 1 });
});

test.each([
  ['', '{}', '{"version": 1}'],
  [serializeRolloutState(state).replace('"version": 1', '"version": 2')],
  [serializeRolloutState(state).replace('"state": "starting"', '"state": "begun"')],
  [serializeRolloutState(state).replace('"state": "pending"', '"state": "begun"')],
])('is rejected otherwise', (...texts) => {
  for (const text of texts) {
    const read = readRolloutState(text, 'out/rollout.json');
    expect(read.ok ? [] : read.problems.map(({ code, message }) => `${code}: ${message}`)).toEqual([
      'rollout/state: out/rollout.json is not the state of a rollout',
    ]);
  }
});
