import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { collectAlone, collectOften } from '../../src/threads/garbage.js';

test.each([
  ['--heap-growing-percent=60', collectOften],
  ['--no-parallel-scavenge', collectAlone],
])('this release of Node.js knows %s, and takes it while it runs', (flag, collect) => {
  // Refuses to start with a flag that it does not know; one that is said to a running program would come to nothing unseen.
  const known = spawnSync(process.execPath, [flag, '--eval', ''], { encoding: 'utf8' });
  expect([known.status, known.stderr]).toEqual([0, '']);
  expect(collect).not.toThrow();
});
