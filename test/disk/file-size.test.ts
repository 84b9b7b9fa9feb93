import { renameSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { fileSize, fingerprintOf } from '../../src/disk/file-size.js';
import { scratchFolder } from '../support/scratch.js';

/** A folder with a file of three bytes, a link to it, and a link to itself. */
function laidFolder(): string {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), 'abc');
  symlinkSync('file', join(folder, 'link'));
  symlinkSync('loop', join(folder, 'loop'));
  return folder;
}

test.each([
  { path: 'file', size: 3, isSeen: true },
  { path: 'link', size: 3, isSeen: true },
  { path: '.', size: undefined, isSeen: true },
  { path: 'none', size: undefined, isSeen: false },
  { path: 'loop', size: undefined, isSeen: false },
  { path: 'file/below', size: undefined, isSeen: false },
  { path: 'a\0b', size: undefined, isSeen: false },
])('$path has size $size and a fingerprint: $isSeen', ({ path, size, isSeen }) => {
  const place = join(laidFolder(), path);
  expect(fileSize(place)).toBe(size);
  expect(fingerprintOf(place) !== '').toBe(isSeen);
});

test.each([
  {
    name: 'written',
    change: (path: string) => {
      writeFileSync(path, 'abcd');
    },
  },
  {
    name: 'written with a set time',
    change: (path: string) => {
      utimesSync(path, 1, 1);
    },
  },
  {
    name: 'replaced',
    change: (path: string) => {
      writeFileSync(`${path}.new`, 'abc');
      renameSync(`${path}.new`, path);
    },
  },
])('a file that was $name has another fingerprint', ({ change }) => {
  const path = join(laidFolder(), 'file');
  const before = fingerprintOf(path);
  expect(fingerprintOf(path)).toBe(before);
  change(path);
  expect(fingerprintOf(path)).not.toBe(before);
});

test('a folder with a new entry has another fingerprint', () => {
  const folder = laidFolder();
  utimesSync(folder, 1, 1);
  const before = fingerprintOf(folder);
  writeFileSync(join(folder, 'new'), '');
  expect(fingerprintOf(folder)).not.toBe(before);
});
