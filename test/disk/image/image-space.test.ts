import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { imageSpaceFaults } from '../../../src/disk/image/image-space.js';
import { scratchFolder } from '../../support/scratch.js';

const mib = 1024 ** 2;

it.each([
  { name: 'enough space', free: 3 * mib, want: [] },
  {
    name: 'a byte less',
    free: 3 * mib - 1,
    want: [/^writing ISOs \(3\) needs 3 MiB, but the file system of \S+ has only 2 MiB free$/],
  },
  { name: 'no space', free: 0, want: [/only 0 MiB free$/] },
])('$name', ({ free, want }) => {
  const folder = scratchFolder();
  // A missing file cannot share its blocks on any file system.
  const found = imageSpaceFaults(folder, { file: join(folder, 'none'), bytes: mib, copies: 3 }, free);
  expect(found.map(({ message }) => message)).toEqual(
    want.map((each) => expect.stringMatching(each) as string),
  );
  expect(readdirSync(folder)).toEqual([]);
});

it('reads the free space of the file system', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'live.iso'), 'x');
  expect(imageSpaceFaults(folder, { file: join(folder, 'live.iso'), bytes: 1, copies: 1 })).toEqual([]);
  expect(imageSpaceFaults(folder, { file: join(folder, 'none'), bytes: 2 ** 60, copies: 1 })).toMatchObject([
    { code: 'dir/not-writable' },
  ]);
});
