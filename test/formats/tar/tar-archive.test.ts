import { spawnSync } from 'node:child_process';

import { expect, test } from 'vitest';

import { filesOfTar, firstFileOfTar, tarOf } from '../../../src/formats/tar/tar-archive.js';

const files = [
  { path: '.first.json', mode: 0o600, contents: Buffer.from('{"a":1}\n') },
  { path: `auth/${'long-'.repeat(30)}`, mode: 0o644, contents: Buffer.alloc(1500, 'b') },
  { path: 'empty', mode: 0o644, contents: Buffer.alloc(0) },
];

test('an archive is read as it was written, by tar as well, and is the same each time', async () => {
  const bytes = await tarOf(files);
  expect(bytes.equals(await tarOf(files))).toBe(true);
  const read = await filesOfTar(bytes);
  expect(read?.map(({ contents, ...file }) => ({ ...file, contents: Buffer.from(contents) }))).toEqual(files);
  const listed = spawnSync('tar', ['--list', '--file', '-'], { input: bytes, encoding: 'utf8' });
  expect(listed.stdout.trim().split('\n')).toEqual(files.map(({ path }) => path));
});

test('the first file is read of the beginning alone', async () => {
  const bytes = await tarOf(files);
  const first = firstFileOfTar(bytes.subarray(0, 520));
  expect([first?.path, Buffer.from(first?.contents ?? '').toString()]).toEqual(['.first.json', '{"a":1}\n']);
  for (const cut of [0, 300, 519]) expect(firstFileOfTar(bytes.subarray(0, cut))).toBeUndefined();
  expect(firstFileOfTar(Buffer.alloc(1024, 'x'))).toBeUndefined();
});

test('rejects damaged archives and links', async () => {
  const bytes = await tarOf(files);
  expect(await filesOfTar(bytes.subarray(0, 1000))).toBeUndefined();
  const other = Buffer.from(bytes);
  other[3] = 0x7a;
  expect(await filesOfTar(other)).toBeUndefined();
  const link = spawnSync('bash', [
    '-c',
    'cd "$(mktemp --directory)" && ln -s /etc/passwd l && tar --create l',
  ]);
  expect(await filesOfTar(link.stdout)).toBeUndefined();
});
