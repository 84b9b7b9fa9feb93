import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, test } from 'vitest';

import { problemsOf } from '../../src/core/result.js';
import { openFleet } from '../../src/fleet/table/read-fleet.js';
import { fleetFolder, fleetText, problemLine } from './files.js';

const apart = (field: string, other: string): string =>
  `${field} overlaps ${other}: neither may contain the other`;

test.each([
  ['outputs: base/out', '4:10', apart('outputs', 'base')],
  ['outputs: .', '4:10', apart('outputs', 'base')],
  ['outputs: ./overrides/', '4:10', apart('outputs', 'overrides')],
  ['outputs: sites.csv', '4:10', apart('outputs', 'sites')],
  ['overrides: base/overrides', '4:12', apart('overrides', 'base')],
])('%s is refused', (line, place, message) => {
  const dir = fleetFolder();
  writeFileSync(join(dir, 'fleet.yaml'), fleetText(`${line}\n`));
  expect(problemsOf(openFleet(dir)).map(problemLine)).toEqual([`fleet.yaml:${place} fleet/path: ${message}`]);
});

it.each(['outputs: out2', 'outputs: base2'])('accepts %s', (line) => {
  const opened = openFleet(fleetFolder({ 'fleet.yaml': fleetText(`${line}\n`) }));
  expect(problemsOf(opened)).toEqual([]);
});
