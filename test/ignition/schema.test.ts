import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { schemaModule } from '../../src/formats/json-schema.js';
import { configSchema } from '../../src/ignition/schema.js';

describe('the generated schema check', () => {
  it('is what `npm run generate` makes of the schema', async () => {
    const kept = readFileSync('src/ignition/schema-check.generated.ts', 'utf8');
    expect(kept === (await schemaModule(configSchema)), 'run `npm run generate`').toBe(true);
  });

  it('imports nothing, so that no run loads ajv', () => {
    const kept = readFileSync('src/ignition/schema-check.generated.ts', 'utf8');
    expect(/\bimport\b|\brequire\(/.test(kept)).toBe(false);
  });
});
