import { readdirSync } from 'node:fs';

import { beforeAll, describe, expect, it } from 'vitest';

import { compileSchema } from '../../../src/formats/json-schema.js';
import type { IgnitionConfig } from '../../../src/ignition/types.js';
import { resolveFixtureTarget } from '../../support/made-from.js';
import {
  describeWithIgnition,
  differencesFromConfig,
  layWithIgnition,
  validateWithIgnition,
} from '../../support/real-ignition.js';
import { scratchFolder } from '../../support/scratch.js';
import { describeWithSchemas, schemaVersions, upstreamSchema } from '../../support/upstream-schemas.js';

const configs = 'fixtures/configs';
const cases = readdirSync(configs)
  .filter((name) => !name.startsWith('aio-'))
  .map((name) => ({ name }));

/** The Ignition configs of each case, by case and file name. */
const texts = new Map<string, ReadonlyMap<string, string>>();

async function configTexts(name: string): Promise<ReadonlyMap<string, string>> {
  const made = await resolveFixtureTarget('single-node-ignition-config', name);
  const files = made.files.filter(({ path }) => path.endsWith('.ign'));
  return new Map(files.map(({ path, contents }) => [path, Buffer.from(contents).toString()]));
}

function textOf(name: string, path: string): string {
  const text = texts.get(name)?.get(path);
  if (text === undefined) throw new Error(`${name} has no ${path}`);
  return text;
}

const liveConfig = 'bootstrap-in-place-for-live-iso.ign';
const both = cases.flatMap(({ name }) => [liveConfig, 'worker.ign'].map((path) => ({ name, path })));

describe('the Ignition configs of every case', () => {
  beforeAll(async () => {
    for (const { name } of cases) texts.set(name, await configTexts(name));
  });

  describeWithIgnition('before the real Ignition', () => {
    it.each(both)('$name: $path is clean for ignition-validate', ({ name, path }) => {
      expect(validateWithIgnition(textOf(name, path))).toBe('');
    });

    it.each(cases)(`$name: applies ${liveConfig} as configured`, ({ name }) => {
      const text = textOf(name, liveConfig);
      const root = layWithIgnition(text, scratchFolder());
      expect(differencesFromConfig(root, JSON.parse(text) as IgnitionConfig)).toEqual([]);
    });
  });

  describeWithSchemas('before the schemas that Ignition publishes', () => {
    it.each(schemaVersions.map((version) => ({ version })))(
      'keep to version $version',
      async ({ version }) => {
        const check = await compileSchema(upstreamSchema(version));
        const errors = both.map(({ name, path }) => ({
          name,
          path,
          errors: check(JSON.parse(textOf(name, path))),
        }));
        expect(errors.filter((each) => each.errors.length > 0)).toEqual([]);
      },
    );
  });
});
