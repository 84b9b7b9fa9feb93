import { spawnSync } from 'node:child_process';
import { closeSync, openSync, statSync, type Stats, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { readRegularFile, readUpTo } from '../../src/disk/regular-file.js';
import { replaceFsCalls, failing } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

function fileOf(length: number): { readonly path: string; readonly bytes: Buffer } {
  const path = join(scratchFolder(), 'file');
  const bytes = Buffer.from(Array.from({ length }, (_, index) => index % 251));
  writeFileSync(path, bytes);
  return { path, bytes };
}

/** Reads an open file that reports `size` bytes. */
function readAs(path: string, size: number, maxBytes = 1e6): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    return readUpTo(file, maxBytes, size);
  } finally {
    closeSync(file);
  }
}

describe('a file', () => {
  test.each([0, 1, 4096, 65_536, 65_537, 200_000])('of %i bytes is read completely', (length) => {
    const { path, bytes } = fileOf(length);
    const read = readRegularFile(path);
    expect(read.kind === 'file' && bytes.equals(read.bytes)).toBe(true);
  });

  test.each([0, 1, 99_999, 100_001, 400_000])(
    'of 100000 bytes with the reported size %i is read completely',
    (size) => {
      const { path, bytes } = fileOf(100_000);
      expect(readAs(path, size)?.equals(bytes)).toBe(true);
    },
  );

  it('needs no more memory than its size', () => {
    const read = readRegularFile(fileOf(300).path);
    expect(read.kind === 'file' && read.bytes.buffer.byteLength).toBeLessThanOrEqual(301);
    expect(readAs(fileOf(300).path, 0)?.length).toBe(300);
  });

  it('is not read above the limit, with any reported size', () => {
    const { path } = fileOf(1001);
    expect(readRegularFile(path, 1000)).toEqual({
      kind: 'unreadable',
      reason: 'it is larger than 1000 bytes',
    });
    expect([readAs(path, 0, 1000), readAs(path, 10, 1000)]).toEqual([undefined, undefined]);
    expect(readAs(path, 0, 1001)?.length).toBe(1001);
  });
});

describe('a path that is not a readable file', () => {
  const unreadable = (reason: string): object => ({ kind: 'unreadable', reason });

  it('is reported without waiting', () => {
    const folder = scratchFolder();
    const pipe = join(folder, 'pipe');
    spawnSync('mkfifo', [pipe]);
    expect(
      [join(folder, 'none'), folder, pipe, join(folder, 'none/a'), '/dev/null'].map((path) =>
        readRegularFile(path),
      ),
    ).toEqual([
      { kind: 'absent' },
      unreadable('it is a folder, not a file'),
      unreadable('it is not a regular file'),
      { kind: 'absent' },
      unreadable('it is not a regular file'),
    ]);
    writeFileSync(join(folder, 'file'), '');
    expect(readRegularFile(join(folder, 'file/a'))).toEqual(
      unreadable('a component of its path is not a folder'),
    );
  });

  it.each([
    ['openSync', 'EACCES', unreadable('permission denied')],
    ['openSync', 'ENOENT', { kind: 'absent' }],
    ['readSync', 'EIO', unreadable('input/output error')],
  ])('is reported with the system error: %s, %s', (call, code, want) => {
    const { path } = fileOf(1);
    replaceFsCalls(() => ({ [call]: failing(code) }));
    expect(readRegularFile(path)).toEqual(want);
  });

  it('is not opened if its metadata shows that', () => {
    const { path } = fileOf(11);
    replaceFsCalls(() => ({ openSync: failing('EIO') }));
    expect(readRegularFile(path, 10)).toEqual(unreadable('it is larger than 10 bytes'));
    expect(readRegularFile(scratchFolder())).toEqual(unreadable('it is a folder, not a file'));
  });

  it.each([
    { name: 'a folder', now: () => statSync('.'), reason: 'it is a folder, not a file' },
    { name: 'a device', now: () => statSync('/dev/null'), reason: 'it is not a regular file' },
    { name: 'too large', now: sizedAs(11), reason: 'it is larger than 10 bytes' },
  ])('is checked again after opening: $name', ({ now, reason }) => {
    const { path } = fileOf(10);
    replaceFsCalls(() => ({ fstatSync: (() => now()) as never, readSync: failing('EIO') }));
    expect(readRegularFile(path, 10)).toEqual(unreadable(reason));
  });

  it('is reported if it grows during the read', () => {
    const { path } = fileOf(11);
    replaceFsCalls(() => ({ statSync: sizedAs(10) as never, fstatSync: sizedAs(10) as never }));
    expect(readRegularFile(path, 10)).toEqual(unreadable('it is larger than 10 bytes'));
  });

  it('is closed after success and after errors', () => {
    let open = 0;
    replaceFsCalls((real) => ({
      openSync: (...args) => {
        open += 1;
        return real.openSync(...args);
      },
      closeSync: (file) => {
        open -= 1;
        real.closeSync(file);
      },
    }));
    const { path } = fileOf(10);
    expect(readRegularFile(path).kind).toBe('file');
    replaceFsCalls(() => ({ readSync: failing('EIO') }));
    expect([readRegularFile(path).kind, open]).toEqual(['unreadable', 0]);
  });

  /** A stat result that reports `size` bytes. */
  function sizedAs(size: number): () => Stats {
    const stats = statSync('package.json');
    return () => Object.assign(stats, { size });
  }
});

it('returns the metadata of a file with its bytes', () => {
  const { path, bytes } = fileOf(10);
  const { ino, size } = statSync(path);
  expect(readRegularFile(path)).toMatchObject({ kind: 'file', bytes, stats: { ino, size } });
});

it('returns only the bytes of a file without a reported size', () => {
  const read = readAs(fileOf(300).path, 0);
  expect([read?.length, read?.buffer.byteLength]).toEqual([300, 300]);
});
