import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, it } from 'vitest';

import { holdFolder } from '../../src/disk/held-folder.js';
import { replaceFsCalls, failing, trackOpenFiles, processIs } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { underUmask } from '../support/under-umask.js';

let root = '';
beforeEach(() => {
  root = scratchFolder();
  mkdirSync(join(root, 'a/b'), { recursive: true });
});

it.runIf(process.platform === 'linux')('refers to the same folder after another replaced it', () => {
  const held = holdFolder(root, ['a', 'b']);
  renameSync(join(root, 'a'), join(root, 'before'));
  mkdirSync(join(root, 'elsewhere/b'), { recursive: true });
  symlinkSync('elsewhere', join(root, 'a'));
  writeFileSync(held.at('file'), 'held');
  held.close();
  expect(readFileSync(join(root, 'before/b/file'), 'utf8')).toBe('held');
  expect(readdirSync(join(root, 'elsewhere/b'))).toEqual([]);
});

it('resolves entries by path if the system has no paths of open folders', () => {
  processIs({ platform: 'darwin' });
  const held = holdFolder(root, ['a', 'b']);
  expect(held.at('file')).toBe(join(root, 'a/b/file'));
  held.close();
});

it.each([
  { parts: ['link'], codes: ['ENOTDIR', 'ELOOP'] },
  { parts: ['link', 'b'], codes: ['ENOTDIR', 'ELOOP'] },
  { parts: ['file'], codes: ['ENOTDIR'] },
  { parts: ['a', 'missing'], codes: ['ENOENT'] },
])('does not enter $parts', ({ parts, codes }) => {
  symlinkSync('a', join(root, 'link'));
  writeFileSync(join(root, 'file'), '');
  const code = thrownBy(() => holdFolder(root, parts));
  expect(codes).toContain(code);
});

it('follows a link that is the root itself', () => {
  symlinkSync('a', join(root, 'link'));
  const held = holdFolder(join(root, 'link'), ['b']);
  writeFileSync(held.at('file'), '');
  held.close();
  expect(existsSync(join(root, 'a/b/file'))).toBe(true);
});

it('creates missing folders with mode 0700, and keeps existing ones', () => {
  const before = statSync(join(root, 'a')).mode;
  underUmask(0, () => {
    holdFolder(root, ['a', 'new', 'deep'], { make: true }).close();
  });
  const modes = ['a', 'a/new', 'a/new/deep'].map((path) => statSync(join(root, path)).mode & 0o777);
  expect(modes).toEqual([before & 0o777, 0o700, 0o700]);
});

it('reports why a folder cannot be created', () => {
  replaceFsCalls(() => ({ mkdirSync: failing('ENOSPC') }));
  expect(thrownBy(() => holdFolder(root, ['a', 'new'], { make: true }))).toBe('ENOSPC');
});

it('closes all file descriptors', () => {
  const open = trackOpenFiles();
  const held = holdFolder(root, ['a', 'b']);
  expect(open.size).toBe(1);
  held.close();
  expect(thrownBy(() => holdFolder(root, ['a', 'missing']))).toBe('ENOENT');
  expect(open.size).toBe(0);
});

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
}
