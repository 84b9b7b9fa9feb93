import { existsSync, readFileSync } from 'node:fs';

import { describe } from 'vitest';
import { z } from 'zod';

/** Folder of the Ignition schemas. It is next to the clone, not in it. */
const folder = '../shared/schemas';

export const schemaVersions = ['3.2', '3.4', '3.5'] as const;

/** A suite that reads the published schemas. Skipped if the folder is missing; in CI that is a failure. */
export function describeWithSchemas(title: string, suite: () => void): void {
  if (existsSync(folder) || process.env['CI'] !== undefined) describe(title, suite);
  else
    describe.skip(
      `${title} (needs ${folder}: the JSON Schemas of Ignition, config/v3_*/schema/ignition.json)`,
      suite,
    );
}

/**
 * A published schema, read as draft-07. The schemas declare draft-04 but use nothing whose meaning differs: the changed keywords
 * (`id`, boolean `exclusiveMinimum` and `exclusiveMaximum`) occur only as property names.
 */
export function upstreamSchema(version: (typeof schemaVersions)[number]): Readonly<Record<string, unknown>> {
  const text = readFileSync(`${folder}/ignition-${version}.json`, 'utf8');
  const members = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  return Object.fromEntries(members.filter(([name]) => name !== '$schema'));
}
