import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { findFolder, isInsidePath } from '../../src/disk/inside-path.js';
import { replaceFsCalls, failing, processIs } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

describe('a path', () => {
  it.each(['a', 'a/b.c', '..a/b', 'a../b', '.hidden', 'a:b', 'con'])('%j is inside the directory', (path) => {
    expect(isInsidePath(path)).toBe(true);
  });

  it.each(['', '/', '/a', 'a/', 'a//b', '.', './a', 'a/./b', '..', '../a', 'a/../b', 'a\0b'])(
    '%j is not inside the directory',
    (path) => {
      expect(isInsidePath(path)).toBe(false);
    },
  );

  it.each(['con', 'a/LPT1.txt', 'a:b', 'end.', 'a\\b'])('%j is not valid on Windows', (path) => {
    processIs({ platform: 'win32' });
    expect([isInsidePath(path), isInsidePath('a/console')]).toEqual([false, true]);
  });
});

describe('a folder below a root', () => {
  let root = '';
  beforeAll(() => {
    root = realpathSync(scratchFolder());
    mkdirSync(join(root, 'a/b'), { recursive: true });
    mkdirSync(join(root, 'other/deep'), { recursive: true });
    writeFileSync(join(root, 'a/file'), '');
    symlinkSync('../../other', join(root, 'a/b/to-other'));
    symlinkSync('/', join(root, 'a/b/out-link'));
    symlinkSync('../..', join(root, 'a/b/to-root'));
    symlinkSync('../file', join(root, 'a/b/to-file'));
    symlinkSync(`../../../${root.split('/').at(-1) ?? ''}-2`, join(root, 'a/b/to-nothing'));
    symlinkSync('../../..', join(root, 'a/b/to-parent'));
  });

  it.each([
    { path: '', parts: [], missing: [] },
    { path: 'a/b', parts: ['a', 'b'], missing: [] },
    { path: 'a/new/deep', parts: ['a'], missing: ['new', 'deep'] },
    { path: 'new', parts: [], missing: ['new'] },
    { path: 'a/b/to-other', parts: ['other'], missing: [] },
    { path: 'a/b/to-other/deep/x', parts: ['other', 'deep'], missing: ['x'] },
    { path: 'a/b/to-root', parts: [], missing: [] },
    { path: 'a/b/to-root/other/deep', parts: ['other', 'deep'], missing: [] },
  ])('$path', ({ path, parts, missing }) => {
    expect(findFolder(root, path === '' ? [] : path.split('/'))).toEqual({ parts, missing });
  });

  it.each([
    ['a/file', 'a/file is a file, not a folder'],
    ['a/file/b', 'a/file is a file, not a folder'],
    ['a/b/to-file/c', 'a/b/to-file is a symbolic link to a file'],
    ['a/b/to-nothing', 'a/b/to-nothing is a symbolic link that leads nowhere'],
    ['a/b/to-parent/x', 'a/b/to-parent is a symbolic link to a place outside the directory'],
    ['a/b/out-link', 'a/b/out-link is a symbolic link to a place outside the directory'],
  ])('%s is not a folder below the root', (path, reason) => {
    expect(findFolder(root, path.split('/'))).toBe(reason);
  });

  it('reports a link that cannot be followed', () => {
    replaceFsCalls(() => ({ realpathSync: failing('EACCES') as unknown as typeof realpathSync }));
    expect(findFolder(root, ['a', 'b', 'to-other'])).toBe(
      'a/b/to-other is a symbolic link that cannot be followed: permission denied',
    );
  });
});
