import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { readRegularFile, readUpTo } from '../../src/disk/regular-file.js';
import { scratchFolder } from '../support/scratch.js';

function fileOf(length: number): { readonly path: string; readonly bytes: Buffer } {
  const path = join(scratchFolder(), 'file');
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
  writeFileSync(path, bytes);
  return { path, bytes };
}

/** What is read of an open file that says it has `size` bytes. */
function readAs(path: string, size: number, maxBytes = 1e6): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return readUpTo(file, maxBytes, size);
  } finally {
    closeSync(file);
  }
}

describe('a file', () => {
  test.each([0, 1, 4096, 65_536, 65_537, 200_000])('of %i bytes is read whole', (length) => {
    const { path, bytes } = fileOf(length);
    const read = readRegularFile(path);
    expect(read.kind === 'file' && bytes.equals(read.bytes)).toBe(true);
  });

  test.each([0, 1, 99_999, 100_001, 400_000])('of 100000 bytes that says %i is read whole', (size) => {
    const { path, bytes } = fileOf(100_000);
    expect(readAs(path, size)?.equals(bytes)).toBe(true);
  });

  it('takes no more memory than it has bytes', () => {
    const read = readRegularFile(fileOf(300).path);
    expect(read.kind === 'file' && read.bytes.buffer.byteLength).toBeLessThanOrEqual(301);
    expect(readAs(fileOf(300).path, 0)?.length).toBe(300);
  });

  it('that is larger than allowed is not read, whatever it says', () => {
    const { path } = fileOf(1001);
    expect(readRegularFile(path, 1000)).toEqual({
      kind: 'unreadable',
      reason: 'it is larger than 1000 bytes',
    });
    expect([readAs(path, 0, 1000), readAs(path, 10, 1000)]).toEqual([undefined, undefined]);
    expect(readAs(path, 0, 1001)?.length).toBe(1001);
  });
});
