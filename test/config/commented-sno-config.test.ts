import { describe, expect, test } from 'vitest';

import { commentedSnoConfig } from '../../src/config/commented-sno-config.js';
import { readInstallConfig } from '../../src/config/reading/install-config.js';
import { readSnoConfig } from '../../src/config/reading/sno-config.js';
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import type { FieldSchema } from '../../src/formats/field-schema.js';
import { writeYaml } from '../../src/formats/yaml/write-yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';
import { testContext } from '../support/context.js';
import { minimalInstallConfig } from '../support/minimal-config.js';

const unchanged = commentedSnoConfig({});

function read(text: string): ReturnType<typeof readSnoConfig> {
  const files = { 'install-config.yaml': minimalInstallConfig, 'sno-config.yaml': text };
  const { inputs } = testContext({ files });
  return readSnoConfig(inputs, readInstallConfig(inputs).draft);
}

/** Every field of a schema as a path; list items add a step 0. The search stops at a field with an example. */
function fieldsOf({ properties = {}, items, required = [], examples }: FieldSchema): readonly Found[] {
  if (examples !== undefined) return [];
  const ofItems = (items && fieldsOf(items)) ?? [];
  return [
    ...ofItems.map(({ path, ...rest }) => ({ ...rest, path: [0, ...path] })),
    ...Object.entries(properties).flatMap(([name, schema]) => [
      { path: [name], schema, required },
      ...fieldsOf(schema).map(({ path, ...rest }) => ({ ...rest, path: [name, ...path] })),
    ]),
  ];
}

interface Found {
  readonly path: readonly (string | number)[];
  readonly schema: FieldSchema;
  /** Required fields of the same map. */
  readonly required: readonly string[];
}

/** The data of the file with every commented field uncommented. */
const everything = ((): unknown => {
  const blocks = unchanged.split('\n\n').map((block) => {
    const lines = block.split('\n');
    const field = lines.findIndex((line) => snoConfigFields.properties?.[/^# (\w+):/.exec(line)?.[1] ?? '']);
    return lines
      .map((line, index) => (field >= 0 && index >= field ? line.replace(/^# /, '') : line))
      .join('\n');
  });
  const { documents, faults } = readYaml(blocks.join('\n\n'));
  expect(faults).toEqual([]);
  return documents[0] && toData(documents[0]);
})();

function at(data: unknown, path: readonly (string | number)[]): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return data;
  if (typeof data !== 'object') return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...data };
  return at(fields[String(step)], rest);
}

/** A document with this field only, and the fields that its map requires. */
function alone({ path, required }: Found): unknown {
  const [last = '', ...holders] = path.toReversed();
  const map = Object.fromEntries(
    [...required, last].map((name) => [name, at(everything, [...holders.toReversed(), name])] as const),
  );
  const inside = holders.reduce<unknown>((value, step) => (step === 0 ? [value] : { [step]: value }), map);
  return { ...(inside as object), apiVersion: 'sno-install/v1alpha1', kind: 'SingleNodeConfig' };
}

const all = fieldsOf(snoConfigFields);
const leaves = all.filter(
  ({ schema }) => schema.examples !== undefined || (!schema.properties && !schema.items?.properties),
);

describe('commentedSnoConfig', () => {
  test('has no effect without edits', () => {
    const { problems, config, isRead } = read(unchanged);
    expect([problems, isRead]).toEqual([[], true]);
    expect(config).toEqual(readSnoConfig(testContext().inputs, undefined).config);
  });

  test('has every field of the schema', () => {
    expect(all.filter(({ path }) => at(everything, path) === undefined)).toEqual([]);
    expect(Object.keys(everything as object)).toEqual(Object.keys(snoConfigFields.properties ?? {}));
    expect(all.length).toBeGreaterThan(50);
  });

  /** Messages of examples that need another field, which the schema cannot express. */
  const needed = /sha256 and sha512|unpackInto/;

  test.each(leaves.map((found) => [found.path.join('.'), found] as const))(
    'has a value for %s that is sound, or a mark',
    (_path, found) => {
      const { problems } = read(writeYaml(alone(found)));
      const left = problems.filter(({ hint, message }) => hint !== 'fill it in' && !needed.test(message));
      expect(left).toEqual([]);
    },
  );

  test('sets the given values at their place', () => {
    const { problems, config } = read(
      commentedSnoConfig({
        hostname: 'a: "b"',
        nodeIP: '192.168.126.10',
        dns: { local: true },
        ntpSources: ['a.example.com', 'fd00::1'],
        certificates: { validity: '1y' },
      }),
    );
    expect(config).toMatchObject({
      hostname: 'a: "b"',
      nodeIP: '192.168.126.10',
      dns: { local: true },
      ntpSources: ['a.example.com', 'fd00::1'],
      certificates: { validitySeconds: 365 * 24 * 60 * 60, backdateSeconds: 60 * 60 },
    });
    expect(problems.map(({ code }) => code)).toEqual(['config/hostname']);
  });
});
