import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { sharesBlocksIn } from '../../../src/disk/image/base-image.js';
import { canShareBlocks, imageSpaceFaults, type ImageCopies } from '../../../src/disk/image/image-space.js';
import { scratchFolder } from '../../support/scratch.js';

const mib = 1024 ** 2;

/** Copies of 1 MiB that share no blocks. */
const plain = (copies: number): ImageCopies => ({
  ...{ copies, bytes: copies * mib, sharedBytes: 0 },
  sharesBlocks: () => false,
});

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
  const found = imageSpaceFaults(folder, [plain(3)], free);
  expect(found.map(({ message }) => message)).toEqual(
    want.map((each) => expect.stringMatching(each) as string),
  );
  expect(readdirSync(folder)).toEqual([]);
});

it('counts copies that share blocks once', () => {
  const shared = { ...plain(20), sharedBytes: mib, sharesBlocks: () => true };
  expect(imageSpaceFaults('out', [shared, plain(2)], 3 * mib)).toEqual([]);
  expect(imageSpaceFaults('out', [shared, plain(2)], 3 * mib - 1)).toMatchObject([
    { message: expect.stringMatching(/^writing ISOs \(22\) needs 3 MiB,/) as string },
  ]);
});

it('reads the free space of the file system', () => {
  const folder = scratchFolder();
  expect(imageSpaceFaults(folder, [{ ...plain(1), bytes: 1 }])).toEqual([]);
  expect(imageSpaceFaults(folder, [{ ...plain(1), bytes: 2 ** 60 }])).toMatchObject([
    { code: 'dir/not-writable' },
  ]);
});

it('a missing file cannot share its blocks on any file system', () => {
  const folder = scratchFolder();
  expect([canShareBlocks(join(folder, 'none'), folder), readdirSync(folder)]).toEqual([false, []]);
});

it('leaves nothing behind when it tries to share blocks', () => {
  const folder = scratchFolder();
  expect([typeof sharesBlocksIn(folder), readdirSync(folder)]).toEqual(['boolean', []]);
  expect(sharesBlocksIn(join(folder, 'none'))).toBe(false);
});
