import { createPrivateKey } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { problemsOf, type Result } from '../../../src/core/result.js';
import { stateFileName } from '../../../src/disk/state/state-file.js';
import { dryRunValues } from '../../../src/run/effects/dry-run-values.js';
import type { ValueSource } from '../../../src/graph/context.js';
import { check, run } from '../../../src/run/run.js';
import { snoConfigText } from '../../support/minimal-config.js';
import { seededBytes, seededEcKey, seededRsaKey } from '../../support/seeded-keys.js';
import { spread } from '../../support/spread.js';
import {
  copyOf,
  drawStates,
  expectEqualDryRun,
  requestFor,
  sites,
  stateFileOf,
} from './support/rehearsal.js';

drawStates();

describe('a dry run reports the same as the run', () => {
  // dry-run-values.machines.test.ts covers all sites.
  it.each(spread(sites, 14))('$name', expectEqualDryRun);
});

describe('a config that is too large for the live ISO', () => {
  it('is reported without a state too, within a thousand bytes', async () => {
    const dir = copyOf('fixtures/configs/minimal');
    mkdirSync(join(dir, 'extra'));
    const data = seededBytes('what cannot be packed', 180_000).toString('base64');
    const object = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'kube-system' },
      data: { a: data },
    };
    writeFileSync(join(dir, 'extra/a.json'), JSON.stringify(object));
    writeFileSync(join(dir, 'sno-config.yaml'), snoConfigText('extraManifests: [extra]\n'));
    const request = requestFor(dir, 'single-node-ignition-config');
    const stateFile = stateFileOf('single-node-ignition-config');

    const [without, made] = [await check(request), await run({ ...request, stateFile })];

    expect(problemsOf(made).map(({ code }) => code)).toEqual(['ignition/too-large']);
    expect(problemsOf(without).map(({ code }) => code)).toEqual(['ignition/too-large']);
    const [dryRun = 0, real = 0] = [without, made].map(byteCount);
    expect(Math.abs(dryRun - real)).toBeLessThan(1000);
  });
});

function byteCount(result: Result<unknown>): number {
  return Number(/takes ([0-9]+) bytes/.exec(problemsOf(result)[0]?.message ?? '')?.[1]);
}

describe('stored values', () => {
  const requests: readonly {
    readonly label: string;
    readonly kept: string;
    readonly ask: (valueSource: ValueSource) => unknown;
  }[] = [
    {
      label: 'key/rsa-2048/a',
      kept: seededRsaKey('a', 2048),
      ask: async (valueSource) => (await valueSource.rsaKey('a', 2048)).pem.reveal(),
    },
    {
      label: 'key/p-256/a',
      kept: seededEcKey('a', 'P-256'),
      ask: async (valueSource) => (await valueSource.ecKey('a', 'P-256')).pem.reveal(),
    },
    {
      label: 'bcrypt/a',
      kept: `$2a$10$${'a'.repeat(53)}`,
      ask: (valueSource) => valueSource.bcryptHash('a', 'password'),
    },
    { label: 'size/a', kept: '12', ask: (valueSource) => valueSource.once('size/a', /^[0-9]+$/, () => '13') },
    {
      label: 'uuid/a',
      kept: '0f8fad5b-d9cb-469f-a165-70867728950e',
      ask: (valueSource) => valueSource.uuid('a'),
    },
    { label: 'text/a', kept: 'abc', ask: (valueSource) => valueSource.text('a', 3, 'abc') },
  ];

  it.each(requests)('are used or reported: $label', async ({ label, kept, ask }) => {
    const [sound, broken, none] = [
      dryRunValues({ [label]: kept }),
      dryRunValues({ [label]: 'broken' }),
      dryRunValues({}),
    ];

    expect(await ask(sound.valueSource)).toBe(kept);
    expect(sound.unusable()).toEqual({});
    const placeholder = await ask(none.valueSource);
    expect(await ask(broken.valueSource)).toBe(placeholder);
    expect(Object.keys(broken.unusable())).toEqual([label]);
    expect(String(placeholder)).not.toBe(kept);
  });

  it('contain no placeholder of a dry run', () => {
    expect(Object.keys(dryRunValues({})).toSorted()).toEqual(['missing', 'unusable', 'valueSource']);
  });
});

describe('a run after a dry run', () => {
  it('generates all values: no placeholder is written', async () => {
    const dir = copyOf('fixtures/configs/minimal');
    const request = requestFor(dir, 'single-node-ignition-config');
    const { valueSource } = dryRunValues({});
    const names = ['tls/root-ca', 'tls/service-account', 'tls/bootstrap-ssh'];
    const placeholders = await Promise.all(
      names.map(async (name) => (await valueSource.rsaKey(name, 2048)).pem.reveal()),
    );

    expect(await check(request)).toMatchObject({ ok: true });
    expect(await run(request)).toMatchObject({ ok: true });

    const state = JSON.parse(readFileSync(join(dir, stateFileName), 'utf8')) as {
      readonly generatedValues: Readonly<Record<string, string>>;
    };
    const drawn = names.map((name) => state.generatedValues[`key/rsa-2048/${name}`] ?? '');
    const labels = Object.keys(state.generatedValues).filter((label) => label.startsWith('key/rsa-2048/'));
    expect(labels).toEqual(expect.arrayContaining(names.map((name) => `key/rsa-2048/${name}`)));
    expect(drawn.filter((pem) => placeholders.includes(pem))).toEqual([]);
    for (const label of labels)
      expect(createPrivateKey(state.generatedValues[label] ?? '').type).toBe('private');
  });
});
