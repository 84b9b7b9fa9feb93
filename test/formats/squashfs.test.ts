import { spawnSync } from 'node:child_process';
import { mkdirSync, linkSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import fc from 'fast-check';
import { expect, it } from 'vitest';

import type { DiskImage } from '../../src/formats/disk-image.js';
import { squashfsBytes, SquashfsError, squashfsFiles } from '../../src/formats/squashfs.js';
import { describeWith } from '../support/programs.js';
import { scratchFolder } from '../support/scratch.js';

const plain = ['-noI', '-noD', '-noF', '-noX', '-no-fragments', '-b', '4096'];

/** A file system with small blocks, a hole, a hard link, an empty file and a folder with many entries. */
function fileSystem(options: readonly string[]): Buffer {
  const folder = scratchFolder();
  const tree = join(folder, 'tree');
  mkdirSync(join(tree, 'many'), { recursive: true });
  writeFileSync(join(tree, 'large'), Buffer.from(Array.from({ length: 10_001 }, (_, index) => index % 251)));
  linkSync(join(tree, 'large'), join(tree, 'many/link'));
  writeFileSync(join(tree, 'hole'), Buffer.concat([Buffer.alloc(8192), Buffer.from('end')]));
  writeFileSync(join(tree, 'empty'), '');
  for (let index = 0; index < 600; index += 1)
    writeFileSync(join(tree, 'many', `file-${index}`), String(index));
  const path = join(folder, 'image');
  const { status } = spawnSync('mksquashfs', [tree, path, '-noappend', '-no-progress', ...options]);
  expect(status).toBe(0);
  return readFileSync(path);
}

function imageOf(bytes: Buffer): DiskImage {
  const read = (offset: number, length: number): Buffer | undefined =>
    offset + length > bytes.length ? undefined : bytes.subarray(offset, offset + length);
  return { bytes: bytes.length, read };
}

function contentsOf(bytes: Buffer): ReadonlyMap<string, Buffer> {
  return new Map(
    [...squashfsFiles(imageOf(bytes))].map(({ path, pieces }) => [path, Buffer.concat([...pieces()])]),
  );
}

describeWith(['mksquashfs'], 'squashfs', () => {
  it('is read as mksquashfs wrote it', () => {
    const bytes = fileSystem(plain);
    const contents = contentsOf(bytes);
    const large = contents.get('large');
    expect(squashfsBytes(imageOf(bytes))).toBe(bytes.length);
    expect([contents.size, large?.length, large?.at(-1)]).toEqual([604, 10_001, 10_000 % 251]);
    expect(contents.get('many/link')).toEqual(large);
    expect(contents.get('hole')).toEqual(Buffer.concat([Buffer.alloc(8192), Buffer.from('end')]));
    expect(contents.get('empty')).toEqual(Buffer.alloc(0));
    expect([0, 299, 599].map((index) => contents.get(`many/file-${index}`)?.toString())).toEqual([
      '0',
      '299',
      '599',
    ]);
  });

  it.each([
    ['compressed tables', ['-noD', '-noF', '-no-fragments'], 'its tables are compressed'],
    ['fragments', ['-noI', '-noD', '-noF'], 'it has fragments'],
  ])('with %s is refused', (_, options, message) => {
    const bytes = fileSystem(options);
    expect(() => contentsOf(bytes)).toThrow(new SquashfsError(message));
  });

  it('that is cut or changed anywhere gives other files or an error, and no other fault', () => {
    const bytes = fileSystem(plain);
    const tables = bytes.length - 60_000;
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat({ max: 59_999 }), fc.nat(255), (end, at, value) => {
        const damaged = Buffer.from(bytes);
        damaged[Math.max(0, tables + at)] = value;
        for (const given of [bytes.subarray(0, end), damaged]) {
          try {
            contentsOf(given);
          } catch (error) {
            expect(error).toBeInstanceOf(SquashfsError);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});
