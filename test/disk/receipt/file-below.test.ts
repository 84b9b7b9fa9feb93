import { spawnSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { bytesBelow, bytesOf, fileBelow, hashOf, namesBelow } from '../../../src/disk/receipt/file-below.js';
import { maxFileBytes } from '../../../src/disk/regular-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { scratchFolder } from '../../support/scratch.js';

/** `auth/key` and `top` in the folder, `outside/key` next to it, and links to each of them. */
function laidFolder(): string {
  const folder = join(scratchFolder(), 'site');
  mkdirSync(join(folder, 'auth', 'inner'), { recursive: true });
  mkdirSync(join(folder, '..', 'outside'));
  writeFileSync(join(folder, 'auth', 'key'), 'a key');
  writeFileSync(join(folder, '..', 'outside', 'key'), 'another');
  writeFileSync(join(folder, 'top'), 'top');
  for (const [name, target] of links) symlinkSync(target, join(folder, name));
  spawnSync('mkfifo', [join(folder, 'pipe')]);
  return folder;
}

const links = [
  ['linked', 'auth'],
  ['out', '../outside'],
  ['top-link', 'top'],
  ['here', '.'],
] as const;

describe('a path below a folder', () => {
  test.each([
    { path: 'top', real: 'top' },
    { path: 'auth/key', real: 'auth/key' },
    { path: 'linked/key', real: 'auth/key' },
    { path: 'here/auth/key', real: 'auth/key' },
  ])('is the file $path', ({ path, real }) => {
    const folder = laidFolder();
    const found = fileBelow(folder, path);
    expect(found).toMatchObject({ kind: 'file', real: join(realpathSync(folder), real) });
    expect(found.kind === 'file' && found.stats.isFile()).toBe(true);
  });

  test.each([
    { path: 'none', want: { kind: 'absent' } },
    { path: 'auth/none', want: { kind: 'absent' } },
    { path: 'none/none', want: { kind: 'absent' } },
    { path: 'auth', want: { kind: 'odd', reason: 'it is a folder' } },
    { path: 'pipe', want: { kind: 'odd', reason: 'it is not a regular file' } },
    { path: 'top-link', want: { kind: 'odd', reason: 'it is a symbolic link' } },
    { path: 'top/below', want: { kind: 'odd', reason: 'top is a file, not a folder' } },
    {
      path: 'out/key',
      want: { kind: 'odd', reason: 'out is a symbolic link to a place outside the directory' },
    },
    { path: 'n'.repeat(300), want: { kind: 'odd', reason: 'its name is too long' } },
  ])('has the kind $want.kind at $path', ({ path, want }) => {
    const folder = laidFolder();
    expect(fileBelow(folder, path)).toEqual(want);
    expect(bytesBelow(folder, path)).toBeUndefined();
  });

  it('is missing if the folder is a file', () => {
    const folder = join(laidFolder(), 'none');
    expect(fileBelow(folder, 'top')).toEqual({ kind: 'odd', reason: 'it does not exist' });
  });
});

test.each([
  { inner: '.', want: ['here', 'linked', 'out', 'pipe', 'top', 'top-link'] },
  { inner: 'auth', want: ['Key', 'key'] },
  { inner: 'here/linked', want: ['Key', 'key'] },
  { inner: 'out', want: [] },
  { inner: 'none', want: [] },
  { inner: 'auth/none', want: [] },
  { inner: 'top', want: [] },
])('lists the files in $inner in order', ({ inner, want }) => {
  const folder = laidFolder();
  writeFileSync(join(folder, 'auth', 'Key'), '');
  expect(namesBelow(folder, inner)).toEqual(want);
});

it('lists no names of a path that is not a folder', () => {
  expect(namesBelow(join(laidFolder(), 'none'), '.')).toEqual([]);
});

it('reads a file, or reports why it cannot', () => {
  const folder = laidFolder();
  const real = join(folder, 'auth', 'key');
  expect(hashOf({ real })).toMatchObject({ sha256: sha256('a key') });
  expect(bytesOf({ real })).toEqual(Buffer.from('a key'));
  expect(bytesBelow(folder, 'auth/key')).toEqual(Buffer.from('a key'));
  expect(hashOf({ real: join(folder, 'auth') })).toEqual({ reason: 'it is not a regular file' });
  rmSync(real);
  expect(hashOf({ real })).toEqual({ reason: 'it does not exist' });
  expect(bytesOf({ real })).toBeUndefined();
});

it('does not read files larger than any output', () => {
  const folder = laidFolder();
  truncateSync(join(folder, 'top'), maxFileBytes + 1);
  expect(bytesBelow(folder, 'top')).toBeUndefined();
});
