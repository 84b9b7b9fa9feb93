import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';

import { emptyState, type State } from '../../../src/disk/state/state-file.js';
import { clockOf, type Renewal } from '../../../src/run/effects/clock.js';
import { generatedValues } from '../../../src/run/effects/generated-values.js';
import { environmentOf, environmentInputs } from '../../../src/disk/environment.js';
import type { ValueSource } from '../../../src/graph/context.js';
import { seededRandomness, seededEcKey } from '../../support/seeded-keys.js';

const present = new Date('2026-03-01T12:00:00.789Z');
const drawn = {
  clock: '2026-02-01T00:00:00.000Z',
  'uuid/cluster': 'kept',
  'signature/ab': 'old',
  'size/cd': '1',
};

describe('clockOf', () => {
  const cases: readonly {
    readonly name: string;
    readonly state: State;
    readonly given: Readonly<Record<string, string>>;
    readonly renewal?: Renewal;
    readonly want: {
      readonly now: string;
      readonly labels: readonly string[];
      readonly warnings: readonly string[];
    };
  }[] = [
    {
      name: 'the present, in whole seconds, when nothing was drawn',
      state: emptyState,
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the clock of the state',
      state: { ...emptyState, generatedValues: drawn, bootableUntil: '2026-03-03T00:00:00.000Z' },
      given: {},
      want: { now: drawn.clock, labels: ['clock', 'signature/ab', 'size/cd', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'the present again when less than a day is left, with what hangs on time drawn anew',
      state: { ...emptyState, generatedValues: drawn, bootableUntil: '2026-03-02T11:00:00.000Z' },
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
        generatedValues: { clock: '2026-03-01T00:00:00.000Z' },
        bootableUntil: '2026-03-02T00:00:00.000Z',
      },
      given: {},
      want: { now: '2026-03-01T00:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the present again when less than that is left',
      state: {
        ...emptyState,
        generatedValues: { clock: '2026-02-28T17:00:00.000Z' },
        bootableUntil: '2026-03-01T17:00:00.000Z',
      },
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock'], warnings: ['dir/reissued'] },
    },
    {
      name: 'the clock of manifests written today',
      state: { ...emptyState, generatedValues: { clock: '2026-03-01T00:00:00.000Z' } },
      given: {},
      want: { now: '2026-03-01T00:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the present when manifests were written long ago and nothing to boot has been made',
      state: { ...emptyState, generatedValues: drawn },
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'the present instead of a clock that ran ahead, of which nothing to boot has come yet',
      state: { ...emptyState, generatedValues: { clock: '2036-03-01T00:00:00.000Z' } },
      given: {},
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the clock of the state although it is ahead, once the certificates have begun',
      state: {
        ...emptyState,
        generatedValues: { clock: '2026-03-01T12:30:00.000Z' },
        bootableFrom: '2026-03-01T11:30:00.000Z',
        bootableUntil: '2026-03-31T12:30:00.000Z',
      },
      given: {},
      want: { now: '2026-03-01T12:30:00.000Z', labels: ['clock'], warnings: [] },
    },
    {
      name: 'the present when the user wants it, from the same keys',
      state: { ...emptyState, generatedValues: drawn, bootableUntil: '2036-03-03T00:00:00.000Z' },
      given: {},
      renewal: 'always',
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'the present when less is left than the user wants',
      state: { ...emptyState, generatedValues: drawn, bootableUntil: '2026-03-11T11:00:00.000Z' },
      given: {},
      renewal: { beforeSeconds: 10 * 24 * 60 * 60 },
      want: { now: '2026-03-01T12:00:00.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'the clock of the state when as much is left as the user wants',
      state: { ...emptyState, generatedValues: drawn, bootableUntil: '2026-03-11T13:00:00.000Z' },
      given: {},
      renewal: { beforeSeconds: 10 * 24 * 60 * 60 },
      want: { now: drawn.clock, labels: ['clock', 'signature/ab', 'size/cd', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'SOURCE_DATE_EPOCH before all else',
      state: { ...emptyState, generatedValues: drawn },
      given: { SOURCE_DATE_EPOCH: '1700000000' },
      want: { now: '2023-11-14T22:13:20.000Z', labels: ['clock', 'uuid/cluster'], warnings: [] },
    },
    {
      name: 'SOURCE_DATE_EPOCH as before keeps every draw',
      state: { ...emptyState, generatedValues: drawn },
      given: { SOURCE_DATE_EPOCH: String(Date.parse(drawn.clock) / 1000) },
      want: { now: drawn.clock, labels: ['clock', 'signature/ab', 'size/cd', 'uuid/cluster'], warnings: [] },
    },
  ];
  it.each(cases)('$name', ({ state, given, renewal, want }) => {
    const clock = clockOf(state, given, { present, ...(renewal && { renewal }) });

    expect(
      clock.ok && {
        now: clock.value.now.toISOString(),
        labels: Object.keys(clock.value.generatedValues).toSorted(),
        warnings: clock.warnings.map(({ code }) => code),
      },
    ).toEqual(want);
    expect(clock.ok && clock.value.generatedValues['clock']).toBe(want.now);
  });

  it.each(['2036-01-01T00:00:00.000Z', '2026-03-01T12:00:01.000Z'])(
    'rejects certificates with a start in the future, at %s',
    (bootableFrom) => {
      const state = {
        ...emptyState,
        generatedValues: drawn,
        bootableFrom,
        bootableUntil: '2037-01-01T00:00:00.000Z',
      };
      const clock = clockOf(state, {}, { present });

      expect(!clock.ok && clock.problems.map(({ code }) => code)).toEqual(['dir/clock-ahead']);
      expect(clockOf(state, {}, { present, renewal: 'always' })).toMatchObject({ ok: true });
    },
  );

  it.each(['yesterday', '-1', '1.5', '99999999999999'])('refuses SOURCE_DATE_EPOCH=%s', (epoch) => {
    const clock = clockOf(emptyState, { SOURCE_DATE_EPOCH: epoch }, { present });

    expect(!clock.ok && clock.problems.map(({ code }) => code)).toEqual(['usage/environment']);
  });
});

describe('generated values', () => {
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it('returns stored values, generates missing ones and returns both', async () => {
    const { valueSource, stateValues, unusable } = generatedValues({
      'uuid/cluster': uuid,
      'text/infra': 'abcde',
      other: 'kept',
    });

    const fresh = valueSource.text('password', 64, 'xyz');
    const [first, second] = await Promise.all([
      valueSource.ecKey('ca', 'P-256'),
      valueSource.ecKey('ca', 'P-256'),
    ]);

    expect([valueSource.uuid('cluster'), valueSource.text('infra', 5, 'abcdef')]).toEqual([uuid, 'abcde']);
    expect(fresh).toMatch(/^[xyz]{64}$/);
    expect(valueSource.text('password', 64, 'xyz')).toBe(fresh);
    expect(valueSource.uuid('other')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(first).toBe(second);
    expect(Object.keys(stateValues()).toSorted()).toEqual(
      ['key/p-256/ca', 'other', 'text/infra', 'text/password', 'uuid/cluster', 'uuid/other'].toSorted(),
    );
    expect(unusable()).toEqual({});
  });

  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
    type: 'pkcs8',
    format: 'pem',
  });
  const unusableCases: readonly {
    readonly name: string;
    readonly label: string;
    readonly kept: string;
    readonly ask: (valueSource: ValueSource) => unknown;
    readonly want: string;
  }[] = [
    {
      name: 'a broken key',
      label: 'key/rsa-2048/ca',
      kept: '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n',
      ask: (valueSource) => valueSource.rsaKey('ca', 2048),
      want: 'it is not a private key in PEM',
    },
    {
      name: 'a key of another type',
      label: 'key/rsa-2048/ca',
      kept: seededEcKey('x', 'P-256'),
      ask: (valueSource) => valueSource.rsaKey('ca', 2048),
      want: 'it is not an RSA key',
    },
    {
      name: 'a key that is too short',
      label: 'key/rsa-2048/ca',
      kept: weak.toString(),
      ask: (valueSource) => valueSource.rsaKey('ca', 2048),
      want: 'its key has 1024 bits, expected 2048',
    },
    {
      name: 'a key of a smaller curve',
      label: 'key/p-384/ca',
      kept: seededEcKey('x', 'P-256'),
      ask: (valueSource) => valueSource.ecKey('ca', 'P-384'),
      want: 'it is not a P-384 key',
    },
    {
      name: 'an id that is none',
      label: 'uuid/cluster',
      kept: `${uuid}0`,
      ask: (valueSource) => valueSource.uuid('cluster'),
      want: 'expected text of the form ^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    },
    {
      name: 'a password of other characters',
      label: 'text/password',
      kept: 'ab"',
      ask: (valueSource) => valueSource.text('password', 3, 'abc'),
      want: 'expected 3 characters of abc',
    },
    {
      name: 'a result of another form',
      label: 'size/ab',
      kept: 'large',
      ask: (valueSource) => valueSource.once('size/ab', /^[0-9]+$/, () => '1'),
      want: 'expected text of the form ^[0-9]+$',
    },
  ];
  it.each(unusableCases)(
    'reports stored values that do not fit: $name',
    async ({ label, kept, ask, want }) => {
      const { valueSource, unusable } = generatedValues({ [label]: kept }, { source: seededRandomness });

      expect(await ask(valueSource)).not.toBe(kept);
      expect(unusable()).toEqual({ [label]: want });
    },
  );

  it('generates a random result once for concurrent calls', async () => {
    let times = 0;
    const { valueSource } = generatedValues({});
    const draw = (): string => `drawn ${(times += 1)}`;

    expect(
      await Promise.all([
        valueSource.once('signature/x', /drawn/, draw),
        valueSource.once('signature/x', /drawn/, draw),
      ]),
    ).toEqual(['drawn 1', 'drawn 1']);
  });
});

it('reads the input variables of the environment, and an empty one as unset', () => {
  const variables = {
    PATH: '/bin',
    OPENSHIFT_INSTALL_INVOKER: 'fleet',
    OPENSHIFT_INSTALL_RELEASE_IMAGE_OVERRIDE: '',
  };

  expect(environmentInputs(variables)).toEqual({ OPENSHIFT_INSTALL_INVOKER: 'fleet' });
  expect(environmentOf(environmentInputs(variables))).toEqual({ invoker: 'fleet' });
});
