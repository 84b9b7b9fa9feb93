import { type Dirent, mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, expect, it } from 'vitest';

import { success } from '../../src/core/result.js';
import { readTexts } from '../../src/disk/read-texts.js';
import { replaceFsCalls } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { unreadableFailure } from '../support/unreadable-file.js';

const texts = {
  'index.txt': 'one\n',
  'etc/hosts': 'two\n',
  'etc/ssl/gr\u00fcn': 'dr\u00fci\n',
  '.hidden': '',
};

let root = '';
beforeEach(() => {
  root = scratchFolder();
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
});

it('returns the text of each file below a folder, by path', () => {
  mkdirSync(join(root, 'empty'));
  expect(readTexts(root)).toEqual(success(texts));
});

it('skips links to files and folders', () => {
  symlinkSync('index.txt', join(root, 'link'));
  symlinkSync('etc', join(root, 'etc-link'));
  symlinkSync('nowhere', join(root, 'etc/broken'));
  expect(readTexts(root)).toEqual(success(texts));
});

it('skips a file that was deleted after the listing', () => {
  replaceFsCalls(({ readdirSync }) => ({
    readdirSync: ((folder: string, options: { readonly withFileTypes: true }): readonly Dirent[] => {
      const entries = readdirSync(folder, options);
      return entries.map((each) => (each.name === 'hosts' ? Object.assign(each, { name: 'gone' }) : each));
    }) as never,
  }));
  const left = Object.entries(texts).filter(([path]) => path !== 'etc/hosts');
  expect(readTexts(root)).toEqual(success(Object.fromEntries(left)));
});

it('rejects a tree with an unreadable file', () => {
  const path = join(root, 'etc/large');
  writeFileSync(path, '');
  truncateSync(path, 64 * 1024 * 1024 + 1);
  expect(readTexts(root)).toEqual(unreadableFailure('the file', path, 'it is larger than 67108864 bytes'));
});

it.each([
  ['missing', 'it does not exist'],
  ['index.txt', 'a component of its path is not a folder'],
])('rejects %s as a tree', (name, reason) => {
  const path = join(root, name);
  expect(readTexts(path)).toEqual(unreadableFailure('the folder', path, reason));
});
