import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { installConfigSchema } from '../../src/fields/install-config-schema.js';
import { snoConfigSchema } from '../../src/fields/sno-config-schema.js';
import type { FieldSchema } from '../../src/formats/field-schema.js';

/** The field tables that `validate` reads are generated: loading zod takes longer than all of its checks. */
const generated = [
  { name: 'install-config', constant: 'installConfigFields', schema: installConfigSchema },
  { name: 'sno-config', constant: 'snoConfigFields', schema: snoConfigSchema },
];

describe('the generated field tables', () => {
  test.each(generated)('$constant is what the zod schema says', async ({ name, constant, schema }) => {
    const path = `src/fields/${name}-fields.generated.ts`;
    const want = await fieldTable(path, `${name}-schema.ts`, constant, schema);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, want);
    expect(
      process.env['UPDATE_GOLDEN'],
      'rewritten: look at the change and run again without UPDATE_GOLDEN',
    ).not.toBe('1');
    expect(readFileSync(path, 'utf8')).toBe(want);
  });
});

test('the names of fields that excerpts may show are what the zod schemas say', async () => {
  const path = 'src/fields/shown-fields.generated.ts';
  const fields = generated.flatMap(({ schema }) => fieldsIn(z.toJSONSchema(schema) as FieldSchema));
  const secrets = new Set(fields.filter(({ field }) => field.writeOnly).map(({ name }) => name));
  const namesOf = (isHolder: boolean): readonly string[] => {
    const names = fields.filter(({ name, field }) => !secrets.has(name) && isHolder === holds(field));
    return [...new Set(names.map(({ name }) => name))].toSorted();
  };
  const source = [
    '/** Generated as the field tables are: fields of both configs that hold fields. */',
    `export const configHolders: readonly string[] = ${JSON.stringify(namesOf(true))};`,
    '',
    '/** Fields of both configs that hold a value, or a list of values, which is no secret. */',
    `export const configValues: readonly string[] = ${JSON.stringify(namesOf(false))};`,
  ].join('\n');
  const want = await format(source, { ...(await resolveConfig(path)), filepath: path });
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, want);
  expect([...secrets]).toEqual(['pullSecret', 'httpProxy', 'httpsProxy']);
  expect(readFileSync(path, 'utf8')).toBe(want);
});

interface NamedField {
  readonly name: string;
  readonly field: FieldSchema;
}

/** Every field of a schema, at any depth. */
function fieldsIn({ properties = {}, items, additionalProperties }: FieldSchema): readonly NamedField[] {
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [{ name, field }, ...fieldsIn(field)]),
    ...(items ? fieldsIn(items) : []),
    ...(additionalProperties ? fieldsIn(additionalProperties) : []),
  ];
}

function holds({ type, items }: FieldSchema): boolean {
  return type === 'object' || items?.type === 'object';
}

async function fieldTable(
  path: string,
  origin: string,
  constant: string,
  schema: z.ZodType,
): Promise<string> {
  const left = new Set(['$schema', 'propertyNames']);
  const table = JSON.stringify(z.toJSONSchema(schema), (key, value: unknown) =>
    left.has(key) ? undefined : value,
  );
  const source = [
    "import type { FieldSchema } from '../formats/field-schema.js';",
    '',
    `/** Generated from ${origin}; \`UPDATE_GOLDEN=1 npx vitest run test/config/schema.test.ts\` writes it anew. */`,
    `export const ${constant}: FieldSchema = ${table};`,
  ].join('\n');
  return format(source, { ...(await resolveConfig(path)), filepath: path });
}
