import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { fieldModules } from '../../scripts/generate/field-modules.mjs';
import { fleetSchema } from '../../src/fields/fleet-schema.js';
import { installConfigSchema } from '../../src/fields/install-config-schema.js';
import { configHolders, configValues } from '../../src/fields/shown-fields.generated.js';
import { snoConfigSchema } from '../../src/fields/sno-config-schema.js';

const modules = await fieldModules({ installConfigSchema, snoConfigSchema, fleetSchema });

it.each(Object.entries(modules))('%s is what the zod schemas say', (path, text) => {
  expect(readFileSync(path, 'utf8') === text, 'run `npm run generate`').toBe(true);
});

it('the fields that excerpts may show hold no secret', () => {
  const shown = new Set([...configHolders, ...configValues]);
  expect(['pullSecret', 'httpProxy', 'httpsProxy'].filter((name) => shown.has(name))).toEqual([]);
  expect(shown.has('noProxy')).toBe(true);
});
