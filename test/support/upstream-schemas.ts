import { existsSync, readFileSync } from 'node:fs';

import { describe } from 'vitest';
import { z } from 'zod';

/** The Ignition schemas stand beside the clone, not in it. */
const folder = '../shared/schemas';

export const schemaVersions = ['3.2', '3.4', '3.5'] as const;

/** A suite that reads the published schemas. Skipped where the folder is not there; in CI that is a failure. */
export function describeWithSchemas(title: string, suite: () => void): void {
  if (existsSync(folder) || process.env['CI'] !== undefined) describe(title, suite);
  else
    describe.skip(
      `${title} (needs ${folder}: the JSON Schemas of Ignition, config/v3_*\/schema/ignition.json)`,
      suite,
    );
}

/**
 * A published schema as draft-07. They say draft-04 and use nothing that draft-07 reads otherwise: the keywords whose
 * meaning changed (`id`, boolean `exclusiveMinimum` and `exclusiveMaximum`) stand there only as names of members.
 */
export function upstreamSchema(version: (typeof schemaVersions)[number]): Readonly<Record<string, unknown>> {
  const text = readFileSync(`${folder}/ignition-${version}.json`, 'utf8');
  const members = Object.entries(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
  return Object.fromEntries(members.filter(([name]) => name !== '$schema'));
}
