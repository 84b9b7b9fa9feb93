import { readFileSync, writeFileSync } from 'node:fs';

import { format, resolveConfig } from 'prettier';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { installConfigSchema } from '../../../src/assets/config/install-config-schema.js';
import { snoConfigSchema } from '../../../src/assets/config/sno-config-schema.js';

/** The field tables that `validate` reads are generated: loading zod takes longer than all of its checks. */
const generated = [
  { name: 'install-config', constant: 'installConfigFields', schema: installConfigSchema },
  { name: 'sno-config', constant: 'snoConfigFields', schema: snoConfigSchema },
];

describe('the generated field tables', () => {
  test.each(generated)('$constant is what the zod schema says', async ({ name, constant, schema }) => {
    const path = `src/assets/config/${name}-fields.generated.ts`;
    const want = await fieldTable(path, `${name}-schema.ts`, constant, schema);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, want);
    expect(
      process.env['UPDATE_GOLDEN'],
      'rewritten: look at the change and run again without UPDATE_GOLDEN',
    ).not.toBe('1');
    expect(readFileSync(path, 'utf8')).toBe(want);
  });
});

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
    "import type { FieldSchema } from '../../formats/field-schema.js';",
    '',
    `/** Generated from ${origin}; \`UPDATE_GOLDEN=1 npx vitest run test/assets/config/schema.test.ts\` writes it anew. */`,
    `export const ${constant}: FieldSchema = ${table};`,
  ].join('\n');
  return format(source, { ...(await resolveConfig(path)), filepath: path });
}
