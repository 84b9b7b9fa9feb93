import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';

import fleetFields from '#schemas/fleet' with { type: 'json' };
import { fleetSchema } from '../../src/config/schema/fleet-schema.js';
import installConfigFields from '#schemas/install-config' with { type: 'json' };
import { installConfigSchema } from '../../src/config/schema/install-config-schema.js';
import payloadFields from '#schemas/payload' with { type: 'json' };
import manifestFields from '#schemas/payload-manifest' with { type: 'json' };
import rolloutFields from '#schemas/rollout' with { type: 'json' };
import { payloadManifestSchema, payloadSchema } from '../../src/config/schema/payload-schema.js';
import { rolloutSchema } from '../../src/config/schema/rollout-schema.js';
import snoConfigFields from '#schemas/sno-config' with { type: 'json' };
import { snoConfigSchema } from '../../src/config/schema/sno-config-schema.js';
import type { FieldSchema } from '../../src/formats/field-schema.js';
import { applySchema } from '../../src/formats/apply-schema.js';
import { writeYaml } from '../../src/formats/yaml/write-yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';

const schemas: readonly { name: string; zod: z.ZodType; fields: FieldSchema }[] = [
  { name: 'install-config', zod: installConfigSchema, fields: installConfigFields },
  { name: 'sno-config', zod: snoConfigSchema, fields: snoConfigFields },
  { name: 'fleet', zod: fleetSchema, fields: fleetFields },
  { name: 'rollout', zod: rolloutSchema, fields: rolloutFields },
  { name: 'payload', zod: payloadSchema, fields: payloadFields },
  { name: 'payload-manifest', zod: payloadManifestSchema, fields: manifestFields },
];

describe('our reading of a field table agrees with zod', () => {
  test.each(schemas)('$name: sound and unsound documents alike', ({ zod, fields }) => {
    fc.assert(
      fc.property(documentOf(fields), (given) => {
        const [root] = readYaml(writeYaml(given)).documents;
        const data = root && toData(root);
        const misfits = root ? applySchema({ schema: fields }, root).misfits : [];
        expect(misfits.length === 0).toBe(zod.safeParse(data).success);
      }),
      { numRuns: 150 },
    );
  });

  test.each(schemas)('$name: the draft of a sound document is the document', ({ zod, fields }) => {
    fc.assert(
      fc.property(documentOf(fields, 0), (given) => {
        const [root] = readYaml(writeYaml(given)).documents;
        expect(zod.safeParse(given).success).toBe(true);
        expect(root && applySchema({ schema: fields }, root)).toEqual({ draft: given, misfits: [] });
      }),
      { numRuns: 50 },
    );
  });
});

/**
 * Generates documents of a schema. One value in `1 / mistakes` has another type, or its field is missing or misspelled. Excluded are
 * null and empty text, which mean "not given" here and are values to zod, and text that YAML reads as another type, since our text
 * fields need no quotes.
 */
function documentOf(schema: FieldSchema, mistakes = 0.02): fc.Arbitrary<unknown> {
  const sound = soundValueOf(schema, mistakes);
  const weight = Math.round(mistakes * 100);
  return weight === 0
    ? sound
    : fc.oneof({ weight: 100 - weight, arbitrary: sound }, { weight, arbitrary: oddValue(schema) });
}

function oddValue({ type }: FieldSchema): fc.Arbitrary<unknown> {
  const odd = [
    fc.constant([]),
    fc.constant({}),
    fc.constant('odd'),
    fc.constant(1.5),
    fc.constant(-1),
    fc.constant(true),
  ];
  // A text field accepts unquoted numbers and booleans.
  return fc.oneof(...(type === 'string' ? odd.slice(0, 2) : odd));
}

function soundValueOf(schema: FieldSchema, mistakes: number): fc.Arbitrary<unknown> {
  switch (schema.type ?? 'anything') {
    case 'array':
      return fc.array(documentOf(schema.items ?? {}, mistakes), { maxLength: 2 });
    case 'string':
      return schema.enum
        ? fc.constantFrom(...schema.enum, ...(mistakes > 0 ? ['other'] : []))
        : fc.stringMatching(/^[a-z]{2,6}-x$/);
    case 'integer':
      return fc.integer({
        min: (schema.minimum ?? 0) - (mistakes > 0 ? 1 : 0),
        max: Math.min(schema.maximum ?? 200, 200),
      });
    case 'boolean':
      return fc.boolean();
    case 'object':
      return mapOf(schema, mistakes);
    case 'anything':
      return fc.constantFrom('anything', { a: 'b' });
  }
}

function mapOf(
  { properties, required = [], additionalProperties }: FieldSchema,
  mistakes: number,
): fc.Arbitrary<object> {
  if (!properties)
    return fc.dictionary(fc.constantFrom('a-x', 'b-x'), documentOf(additionalProperties || {}, mistakes), {
      noNullPrototype: true,
    });
  const known = Object.entries(properties).map(
    ([name, child]) => [name, documentOf(child, mistakes)] as const,
  );
  const must = fc.integer({ min: 1, max: 50 }).map((draw) => draw / 50 > mistakes);
  const fields = fc.record(Object.fromEntries(known), { requiredKeys: [...required], noNullPrototype: true });
  if (Object.keys(properties).length === 0) return fields;
  return fc.tuple(fields, must, fc.constantFrom(...Object.keys(properties))).map(([given, isKept, name]) => {
    if (isKept) return given;
    return Object.fromEntries([
      ...Object.entries(given).filter(([key]) => key !== name),
      [`${name}X`, 'odd'],
    ]);
  });
}
