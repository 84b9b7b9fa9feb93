import { expect, test } from 'vitest';

import { problem } from '../../src/core/problem.js';
import { failure } from '../../src/core/result.js';
import { judgeImport } from '../../src/import/check-import.js';

test.each([
  ['config/bootstrap-in-place', 'name it with --installation-disk, best one of /dev/disk/by-id/'],
  [
    'config/mirror-not-asked',
    'name the release by its digest with --release-image, as `oc adm release info` shows it',
  ],
  ['config/cluster-name', 'write it in small letters'],
] as const)('who imports is told the option that says what the source lacks: %s', async (code, hint) => {
  const found = problem(code, 'it is lacking', { hint: 'write it in small letters' });
  const outside = { readReference: () => ({ kind: 'absent' }) as const };
  const problems = await judgeImport(
    { name: 'site1', files: [], problems: [] },
    () => Promise.resolve(failure(found)),
    outside,
  );

  expect(problems).toEqual([{ ...found, hint }]);
});
