import { expect, test } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { siteProblems } from '../../src/fleet/table/site-problems.js';
import type { SiteFiles } from '../../src/fleet/table/site-files.js';

test.each([
  ['a table', false, 'add it there'],
  [
    'ClusterInstances',
    true,
    'set rootDeviceHints of the node, or bootstrapInPlace.installationDisk in install-config.yaml of the base or an override',
  ],
])('the hint for %s without a disk names its fields', (_name, hasInstances, hint) => {
  const at = { file: 'install-config.yaml', line: 1, path: 'bootstrapInPlace' };
  const files = { faults: [], problems: [], originOf: () => ({ at }) } as Partial<SiteFiles> as SiteFiles;
  const found = problem('config/bootstrap-in-place', 'no disk is named', { at, hint: 'add it there' });
  const known = { sites: 'sites', names: [], classesOf: new Map(), hasInstances };

  expect(siteProblems(files, [found], known)).toEqual([{ ...found, hint }]);
});
