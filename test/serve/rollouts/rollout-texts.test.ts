import { expect, test } from 'vitest';

import type { RolloutStatus } from '../../../src/serve/rollouts/rollout-status.js';
import { rolloutSummary, siteRolloutText } from '../../../src/serve/rollouts/rollout-texts.js';

const rollout: RolloutStatus = {
  operation: 'boot',
  state: 'running',
  waves: [
    { name: 'canary', state: 'done' },
    { name: '1', state: 'running' },
    { name: '2', state: 'pending' },
  ],
  sites: new Map([
    ['a', { state: 'done', wave: 'canary' }],
    ['b', { state: 'failed', wave: '1', cause: 'the API said Bearer abcdefghijkl\u001b[31m' }],
    ['c', { state: 'starting', wave: '1' }],
    ['d', { state: 'pending', wave: '2' }],
    ['e', { state: 'held' }],
  ]),
};

test.each<[Partial<RolloutStatus>, string]>([
  [{}, 'Rollout running, wave 1 (2 of 3): 1 of 5 sites done, 1 failed, 1 held'],
  [
    { operation: 'upgrade', state: 'stopped', message: 'too many failures\n' },
    'Upgrade stopped, wave 1 (2 of 3): 1 of 5 sites done, 1 failed, 1 held; too many failures·',
  ],
  [
    {
      operation: 'reinstall',
      state: 'complete',
      waves: [{ name: '1', state: 'done' }],
      sites: new Map([['a', { state: 'done', wave: '1' }]]),
    },
    'Reinstallation complete, wave 1 (1 of 1): 1 of 1 site done',
  ],
  [
    { state: 'waiting', waves: rollout.waves.map(({ name }) => ({ name, state: 'pending' })) },
    'Rollout waiting: 1 of 5 sites done, 1 failed, 1 held',
  ],
])('summarizes %o', (given, want) => {
  expect(rolloutSummary({ ...rollout, ...given })).toBe(want);
});

test('describes a site in the newest rollout that includes it', () => {
  const upgrade: RolloutStatus = {
    ...rollout,
    operation: 'upgrade',
    sites: new Map([['a', { state: 'waiting', wave: '1' }]]),
  };
  const text = (name: string): string | undefined => siteRolloutText([upgrade, rollout], name);
  expect(['a', 'b', 'c', 'd', 'e', 'f'].map(text)).toEqual([
    'upgrade waiting in wave 1',
    'failed in wave 1: the API said Bearer [redacted]·[31m',
    'starting in wave 1',
    'pending in wave 2',
    'held',
    undefined,
  ]);
});
