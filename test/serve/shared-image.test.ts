import { chmodSync, closeSync, openSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openShared } from '../../src/serve/media/shared-image.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';

test('reads exactly the bytes of the file, and none after a write to it', async () => {
  const path = join(scratchFolder(), 'image');
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31) % 251));
  writeFileSync(path, bytes);
  const image = expectOk(openShared('--iso', path));
  const length = 300_000;
  const into = Buffer.alloc(length + 1);
  for (const offset of [0, 4097, 400_000 - length]) {
    const want = bytes.subarray(offset, offset + length);
    expect((await image.read(offset, length))?.equals(want)).toBe(true);
    expect((await image.read(offset, length, into))?.equals(want)).toBe(true);
  }
  expect(await image.read(400_000 - length + 1, length)).toBeUndefined();
  const file = openSync(path, 'r+');
  writeSync(file, 'another', 0);
  closeSync(file);
  expect(await image.read(0, length)).toBeUndefined();
  image.close();
});

test('gives no bytes of a file that was written in place and got its old time, and goes on after another mode', async () => {
  const path = join(scratchFolder(), 'image');
  writeFileSync(path, 'the bytes of an image');
  // A time of whole seconds can be restored exactly.
  const time = new Date('2026-01-01T00:00:00Z');
  utimesSync(path, time, time);
  const image = expectOk(openShared('--iso', path));
  // File system timestamps may be as coarse as a clock tick.
  const { ctimeNs } = statSync(path, { bigint: true });
  await expect
    .poll(() => {
      chmodSync(path, 0o600);
      return statSync(path, { bigint: true }).ctimeNs;
    })
    .not.toBe(ctimeNs);
  expect((await image.read(4, 5))?.toString()).toBe('bytes');

  const changed = statSync(path, { bigint: true }).ctimeNs;
  const file = openSync(path, 'r+');
  await expect
    .poll(() => {
      writeSync(file, 'another', 0);
      utimesSync(path, time, time);
      return statSync(path, { bigint: true }).ctimeNs;
    })
    .not.toBe(changed);
  closeSync(file);
  expect(statSync(path).mtime).toEqual(time);
  expect(await image.read(4, 5)).toBeUndefined();
  image.close();
});
