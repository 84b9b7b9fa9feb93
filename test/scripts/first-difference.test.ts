import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { packTar } from 'modern-tar';
import { expect, test } from 'vitest';

import { differencesOf } from '../../scripts/reproduce/first-difference.mjs';
import { scratchFolder } from '../support/scratch.js';

type Files = Readonly<Record<string, string | Uint8Array>>;

async function linesFor(one: Files, other: Files, mode = 0o644): Promise<readonly string[]> {
  const folder = scratchFolder();
  const lay = (name: string, files: Files): string => {
    mkdirSync(join(folder, name));
    for (const [file, contents] of Object.entries(files)) writeFileSync(join(folder, name, file), contents);
    return join(folder, name);
  };
  const [left, right] = [lay('one', one), lay('other', other)];
  for (const file of Object.keys(other)) chmodSync(join(right, file), mode);
  return differencesOf(left, right);
}

async function archive(body: string, mode: number): Promise<Uint8Array> {
  const header = { name: 'package/a', mode, size: body.length, mtime: new Date(0) };
  return gzipSync(await packTar([{ header, body }]));
}

test('reports no difference for equal files', async () => {
  expect(await linesFor({ a: 'same', b: 'too' }, { a: 'same', b: 'too' })).toEqual([]);
});

test('reports the first different byte and its context', async () => {
  expect(await linesFor({ a: 'one more' }, { a: 'one less!' })).toEqual([
    'a: byte 4 of 8 and 9: "more" and "less!"',
  ]);
});

test('reports a file of only one build', async () => {
  expect(await linesFor({ a: '' }, { b: '' })).toEqual([
    'a: only in the first build',
    'b: only in the second build',
  ]);
});

test('reports different execute permissions', async () => {
  expect(await linesFor({ a: '' }, { a: '' }, 0o755)).toEqual(['a: the execute permissions differ']);
});

test('reports the first different file of an archive, or its mode', async () => {
  const sound = await archive('text', 0o644);
  expect(await linesFor({ 'p.tgz': sound }, { 'p.tgz': sound })).toEqual([]);
  expect(await linesFor({ 'p.tgz': sound }, { 'p.tgz': await archive('test', 0o644) })).toEqual([
    'p.tgz: package/a, byte 2 of 4 and 4: "xt" and "st"',
  ]);
  const [mode] = await linesFor({ 'p.tgz': sound }, { 'p.tgz': await archive('text', 0o600) });
  expect(mode).toMatch(/^p\.tgz: package\/a is \{.*"mode":420.* and \{.*"mode":384/);
});
