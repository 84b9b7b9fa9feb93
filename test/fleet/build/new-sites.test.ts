import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { stateFileName } from '../../../src/disk/state/state-file.js';
import { hasNewSites } from '../../../src/fleet/build/generate-sites.js';
import { scratchFolder } from '../../support/scratch.js';

test.each([
  { name: 'all are new', made: 0, least: 4, want: true },
  { name: 'enough are new, whatever was made before', made: 6, least: 4, want: true },
  { name: 'one was added to many', made: 9, least: 4, want: false },
  { name: 'one was added, and one is made at a time', made: 9, least: 1, want: true },
  { name: 'none is new', made: 10, least: 1, want: false },
])('counts sites without keys: $name', ({ made, least, want }) => {
  const dir = scratchFolder();
  const sites = Array.from({ length: 10 }, (_, index) => ({ name: `site-${index}` }));
  for (const { name } of sites.slice(0, made)) {
    mkdirSync(join(dir, 'out', name), { recursive: true });
    writeFileSync(join(dir, 'out', name, stateFileName), '{}');
  }
  expect(hasNewSites({ dir, outputs: 'out' }, sites, least)).toBe(want);
});
