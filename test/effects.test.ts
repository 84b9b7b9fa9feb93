import { describe, expect, it } from 'vitest';

import { emptyState } from '../src/disk/state-file.js';
import { clockOf, drawsOver, environmentOf, inputsAmong } from '../src/effects.js';

const present = new Date('2026-03-01T12:00:00.789Z');
const drawn = {
  clock: '2026-02-01T00:00:00.000Z',
  'uuid/cluster': 'kept',
  'signature/ab': 'old',
  'size/cd': '1',
};

describe('clockOf', () => {
  const cases = [
    {
      name: 'the present, in whole seconds, when nothing was drawn',
      state: emptyState,
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the clock of the state',
      state: { ...emptyState, draws: drawn, bootableUntil: '2026-03-03T00:00:00.000Z' },
      given: {},
      want: { now: drawn.clock, labels: ['clock', 'signature/ab', 'size/cd', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'the present again when less than a day is left, with what hangs on time drawn anew',
      state: { ...emptyState, draws: drawn, bootableUntil: '2026-03-02T11:00:00.000Z' },
      given: {},
      want: {
        now: '2026-03-01T12:00:00.000Z',
        labels: ['clock', 'uuid/cluster'],
        warnings: ['dir/reissued'],
      },
    },
    {
      name: 'the clock of the state while a quarter of a short validity is left',
      state: {
        ...emptyState,
        draws: { clock: '2026-03-01T00:00:00.000Z' },
        bootableUntil: '2026-03-02T00:00:00.000Z',
      },
      given: {},
      want: { now: '2026-03-01T00:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the present again when less than that is left',
      state: {
        ...emptyState,
        draws: { clock: '2026-02-28T17:00:00.000Z' },
        bootableUntil: '2026-03-01T17:00:00.000Z',
      },
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock'], warnings: ['dir/reissued'] },
    },
    {
      name: 'the clock of manifests written today',
      state: { ...emptyState, draws: { clock: '2026-03-01T00:00:00.000Z' } },
      given: {},
      want: { now: '2026-03-01T00:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the present when manifests were written long ago and nothing to boot has been made',
      state: { ...emptyState, draws: drawn },
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'SOURCE_DATE_EPOCH before all else',
      state: { ...emptyState, draws: drawn },
      given: { SOURCE_DATE_EPOCH: '1700000000' },
      want: { now: '2023-11-14T22:13:20.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'SOURCE_DATE_EPOCH as before keeps every draw',
      state: { ...emptyState, draws: drawn },
      given: { SOURCE_DATE_EPOCH: String(Date.parse(drawn.clock) / 1000) },
      want: { now: drawn.clock, labels: ['clock', 'signature/ab', 'size/cd', 'uuid/cluster'], warnings: [] },
    },
  ];
  it.each(cases)('$name', ({ state, given, want }) => {
    const clock = clockOf(state, given, present);

    expect(
      clock.ok && {
        now: clock.value.now.toISOString(),
        labels: Object.keys(clock.value.draws).toSorted(),
        warnings: clock.warnings.map(({ code }) => code),
      },
    ).toEqual(want);
    expect(clock.ok && clock.value.draws['clock']).toBe(want.now);
  });

  it.each(['yesterday', '-1', '1.5', '99999999999999'])('refuses SOURCE_DATE_EPOCH=%s', (epoch) => {
    const clock = clockOf(emptyState, { SOURCE_DATE_EPOCH: epoch }, present);

    expect(!clock.ok && clock.problems.map(({ code }) => code)).toEqual(['usage/environment']);
  });
});

describe('drawsOver', () => {
  it('gives what was kept, draws what was not, and hands both back', async () => {
    const { draws, taken } = drawsOver({ 'uuid/cluster': 'kept', 'text/infra': 'abcde' });

    const fresh = draws.text('password', 64, 'xyz');
    const [first, second] = await Promise.all([draws.ecKey('ca', 'P-256'), draws.ecKey('ca', 'P-256')]);

    expect([draws.uuid('cluster'), draws.text('infra', 5, 'x')]).toEqual(['kept', 'abcde']);
    expect(fresh).toMatch(/^[xyz]{64}$/);
    expect(draws.text('password', 64, 'xyz')).toBe(fresh);
    expect(draws.uuid('other')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(first).toBe(second);
    expect(Object.keys(taken()).toSorted()).toEqual(
      ['key/p-256/ca', 'text/infra', 'text/password', 'uuid/cluster', 'uuid/other'].toSorted(),
    );
  });

  it('draws a randomised result once, however many ask for it at the same time', async () => {
    let times = 0;
    const { draws } = drawsOver({});
    const draw = (): string => `drawn ${(times += 1)}`;

    expect(await Promise.all([draws.once('signature/x', draw), draws.once('signature/x', draw)])).toEqual([
      'drawn 1',
      'drawn 1',
    ]);
  });

  it('counts keys as they are asked for and made', async () => {
    const seen: string[] = [];
    const { draws } = drawsOver(
      { 'key/p-256/kept': 'pem' },
      {
        onKey: (done, asked) => seen.push(`${done}/${asked}`),
      },
    );

    await Promise.all([draws.ecKey('kept', 'P-256'), draws.ecKey('a', 'P-256'), draws.ecKey('b', 'P-384')]);

    expect(seen).toEqual(['1/2', '2/2']);
  });
});

it('takes the inputs among the environment variables, and an empty one for unset', () => {
  const variables = {
    PATH: '/bin',
    OPENSHIFT_INSTALL_INVOKER: 'fleet',
    OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: '',
  };

  expect(inputsAmong(variables)).toEqual({ OPENSHIFT_INSTALL_INVOKER: 'fleet' });
  expect(environmentOf(inputsAmong(variables))).toEqual({ invoker: 'fleet' });
});
