import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { readSummary } from '../../../src/fleet/build/read-summary.js';
import { scratchFolder } from '../../support/scratch.js';

/** The results of fleet.json with this version and one site for each result. */
function resultsIn(version: number, given: readonly string[]): readonly string[] | undefined {
  const dir = scratchFolder();
  const sites = given.map((result, index) => ({ name: `site-${index}`, result }));
  const program = { version: '0.1.0' };
  const target = 'single-node-ignition-config';
  writeFileSync(join(dir, 'fleet.json'), JSON.stringify({ version, program, target, sites }));
  return readSummary(dir)?.sites.map(({ result }) => result);
}

it.each([
  { version: 1, given: ['made', 'failed', 'not-made'], want: ['created', 'failed', 'not-started'] },
  { version: 2, given: ['created', 'failed', 'not-started'], want: ['created', 'failed', 'not-started'] },
  { version: 1, given: ['created'], want: undefined },
  { version: 2, given: ['made'], want: undefined },
  { version: 3, given: ['created'], want: undefined },
])('fleet.json of version $version with $given', ({ version, given, want }) => {
  expect(resultsIn(version, given)).toEqual(want);
});
