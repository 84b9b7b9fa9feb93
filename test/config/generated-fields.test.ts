import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { configSchemas } from '../../scripts/generate/config-schemas.mjs';
import { fleetSchema } from '../../src/config/schema/fleet-schema.js';
import { installConfigSchema } from '../../src/config/schema/install-config-schema.js';
import { payloadManifestSchema, payloadSchema } from '../../src/config/schema/payload-schema.js';
import { rolloutSchema } from '../../src/config/schema/rollout-schema.js';
import { schemaUrl } from '../../src/config/schema/schema-url.js';
import { printableFields } from '../../src/config/schema/printable-fields.js';
import { snoConfigSchema } from '../../src/config/schema/sno-config-schema.js';

const schemas = {
  'install-config': installConfigSchema,
  'sno-config': snoConfigSchema,
  fleet: fleetSchema,
  rollout: rolloutSchema,
  payload: payloadSchema,
  'payload-manifest': payloadManifestSchema,
};

it.each(Object.entries(configSchemas(schemas, schemaUrl)))('%s matches the zod schemas', (path, text) => {
  expect(readFileSync(path, 'utf8') === text, 'run `npm run generate`').toBe(true);
});

it('the fields that excerpts may show are not secret', () => {
  const shown = new Set([...printableFields.holders, ...printableFields.values]);
  expect(['pullSecret', 'httpProxy', 'httpsProxy'].filter((name) => shown.has(name))).toEqual([]);
  expect(shown.has('noProxy')).toBe(true);
});
