import { expect, test } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { failure } from '../../src/core/result.js';
import { checkImport } from '../../src/import/check-import.js';

test.each([
  ['config/bootstrap-in-place', 'set it with --installation-disk, preferably a /dev/disk/by-id/ path'],
  [
    'config/mirror-not-asked',
    'set --release-image to the release image with its digest, as printed by `oc adm release info`',
  ],
  ['config/cluster-name', 'write it in small letters'],
] as const)('suggests the option for a missing value: %s', async (code, hint) => {
  const found = problem(code, 'it is lacking', { hint: 'write it in small letters' });
  const outside = { readReference: () => ({ kind: 'absent' }) as const };
  const problems = await checkImport(
    { name: 'site1', files: [], problems: [] },
    () => Promise.resolve(failure(found)),
    outside,
  );

  expect(problems).toEqual([{ ...found, hint }]);
});
