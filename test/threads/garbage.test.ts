import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { collectAlone, collectOften, keepYoungSpace } from '../../src/threads/garbage.js';

test.each([
  ['--heap-growing-percent=60', collectOften],
  ['--no-parallel-scavenge', collectAlone],
  ['--semi-space-growth-factor=1', keepYoungSpace],
])('this release of Node.js knows %s, and takes it while it runs', (flag, collect) => {
  // Refuses to start with a flag that it does not know; one that is said to a running program would come to nothing unseen.
  const known = spawnSync(process.execPath, [flag, '--eval', ''], { encoding: 'utf8' });
  expect([known.status, known.stderr]).toEqual([0, '']);
  expect(collect).not.toThrow();
});

test('room for young garbage that is to stay as it is does so in a program that runs', () => {
  const megabytes = (said: string) => {
    const program = `
      const v8 = require('node:v8');
      ${said}
      let living = [];
      for (let made = 0; made < 1e6; made += 1) {
        living.push({ made });
        if (living.length === 60_000) living = living.slice(30_000);
      }
      const [young] = v8.getHeapSpaceStatistics().filter((each) => each.space_name === 'new_space');
      console.log(young.space_size / 2 ** 20);`;
    const { stdout, stderr } = spawnSync(process.execPath, ['--eval', program], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return Number(stdout);
  };
  expect(megabytes('')).toBeGreaterThan(8);
  expect(megabytes("v8.setFlagsFromString('--semi-space-growth-factor=1');")).toBeLessThanOrEqual(4);
});
