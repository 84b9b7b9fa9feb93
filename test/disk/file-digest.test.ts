import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { digestFile } from '../../src/disk/file-digest.js';
import { sha256 } from '../../src/formats/sha256.js';
import { scratchFolder } from '../support/scratch.js';

const mebibyte = 1024 * 1024;

test.each([0, 1, mebibyte, 2 * mebibyte + 5])('hashes all %i bytes of a file', (length) => {
  const path = join(scratchFolder(), 'file');
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
  writeFileSync(path, bytes);
  symlinkSync('file', `${path}.link`);

  expect(digestFile(path)).toEqual({ kind: 'file', sha256: sha256(bytes) });
  expect(digestFile(`${path}.link`)).toEqual({ kind: 'file', sha256: sha256(bytes) });
});

const notRegular = { kind: 'unreadable', reason: 'it is not a regular file' };

test.each([
  { name: 'nothing', lay: () => undefined, want: { kind: 'absent' } },
  { name: 'a folder', lay: mkdirSync, want: notRegular },
  { name: 'a pipe', lay: (path: string) => spawnSync('mkfifo', [path]), want: notRegular },
  {
    name: 'a link to itself',
    lay: (path: string) => {
      symlinkSync(path, path);
    },
    want: { kind: 'unreadable', reason: 'too many symbolic links' },
  },
])('returns no digest for $name, without waiting', ({ lay, want }) => {
  const path = join(scratchFolder(), 'there');
  lay(path);
  expect(digestFile(path)).toEqual(want);
});

test('returns no digest for a path below a file', () => {
  const path = join(scratchFolder(), 'file');
  writeFileSync(path, '');
  expect(digestFile(join(path, 'below'))).toEqual({
    kind: 'unreadable',
    reason: 'a component of its path is not a folder',
  });
});
