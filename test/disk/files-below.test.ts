import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, expect, it } from 'vitest';

import { failure, success } from '../../src/core/result.js';
import { filesBelow } from '../../src/disk/files-below.js';
import { replaceFsCalls, systemError } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { unreadableFailure } from '../support/unreadable-file.js';

let root = '';
beforeEach(() => {
  root = scratchFolder();
  for (const path of ['folder/b', 'folder/a/c', 'folder/a-d', 'folder/Z', 'elsewhere/e']) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), '');
  }
});

it('returns a file itself, with any name and through links', () => {
  writeFileSync(join(root, '.hidden'), '');
  symlinkSync('folder/b', join(root, 'link'));
  for (const path of ['folder/b', '.hidden', 'link'].map((name) => join(root, name)))
    expect(filesBelow(path)).toEqual(success({ isFolder: false, paths: [path], odd: [] }));
});

it('returns the files below a folder, sorted by name', () => {
  mkdirSync(join(root, 'folder/empty'));
  const paths = ['Z', 'a/c', 'a-d', 'b'].map((name) => join(root, 'folder', name));
  expect(filesBelow(join(root, 'folder'))).toEqual(success({ isFolder: true, paths, odd: [] }));
});

it('skips hidden files, lists other file types and broken links, and follows links to files', () => {
  const folder = join(root, 'elsewhere');
  mkdirSync(join(folder, '.git'));
  for (const path of ['.hidden', '.git/config']) writeFileSync(join(folder, path), '');
  const links = { file: '../folder/b', folder: '../folder', nowhere: 'nothing', device: '/dev/null' };
  for (const [name, to] of Object.entries(links)) symlinkSync(to, join(folder, name));
  for (const name of ['kubeconfig', 'worker.ign']) mkdirSync(join(folder, name));
  const paths = [join(folder, 'e'), join(folder, 'file')];
  const odd = [
    { path: join(folder, 'device'), reason: 'it is not a regular file' },
    { path: join(folder, 'kubeconfig'), reason: 'it is a folder, not a file' },
    { path: join(folder, 'nowhere'), reason: 'it is a symbolic link to a file that does not exist' },
    { path: join(folder, 'worker.ign'), reason: 'it is a folder, not a file' },
  ];
  expect(filesBelow(folder)).toEqual(success({ isFolder: true, paths, odd }));
});

it('follows a named link to a folder', () => {
  symlinkSync('elsewhere', join(root, 'link'));
  expect(filesBelow(join(root, 'link'))).toEqual(
    success({ isFolder: true, paths: [join(root, 'link/e')], odd: [] }),
  );
});

it.each([
  { name: 'nothing', reason: 'it does not exist' },
  { name: 'folder/b/c', reason: 'a component of its path is not a folder' },
])('reports $name as unreadable', ({ name, reason }) => {
  const path = join(root, name);
  expect(filesBelow(path)).toEqual(unreadableFailure('the file', path, reason));
});

it('reports each unreadable folder, and returns no files', () => {
  const closed = ['folder/a', 'folder/x'].map((name) => join(root, name));
  mkdirSync(join(root, 'folder/x'));
  replaceFsCalls(({ readdirSync }) => ({
    readdirSync: ((path: string, options: object) => {
      if (closed.includes(path)) throw systemError('EACCES');
      return readdirSync(path, options);
    }) as typeof readdirSync,
  }));
  const problems = closed.flatMap(
    (path) => unreadableFailure('the folder', path, 'permission denied').problems,
  );
  expect(filesBelow(join(root, 'folder'))).toEqual(failure(...problems));
});
