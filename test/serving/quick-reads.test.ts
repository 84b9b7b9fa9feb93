import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { quickReads } from '../../src/serving/media/quick-reads.js';
import { openShared } from '../../src/serving/media/shared-image.js';
import { scratchFolder } from '../support/scratch.js';
import { soundValue } from '../support/sound-value.js';

test('small reads are quick until one was slow, and again a second later', () => {
  const quick = quickReads();
  expect([quick.isQuick(1, 0), quick.isQuick(65_536, 0), quick.isQuick(65_537, 0)]).toEqual([
    true,
    true,
    false,
  ]);
  quick.took(10, 10.1);
  expect(quick.isQuick(1, 11)).toBe(true);
  quick.took(20, 25);
  expect([26, 1024, 1025].map((now) => quick.isQuick(1, now))).toEqual([false, false, true]);
});

test.each([1, 65_536, 65_537, 300_000])('%d bytes are the same however they are read', async (length) => {
  const path = join(scratchFolder(), 'image');
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31) % 251));
  writeFileSync(path, bytes);
  const image = soundValue(openShared('--iso', path));
  const into = Buffer.alloc(300_000);
  for (const offset of [0, 4097, 400_000 - length]) {
    expect((await image.read(offset, length))?.equals(bytes.subarray(offset, offset + length))).toBe(true);
    const read = await image.read(offset, length, into);
    expect(read?.equals(bytes.subarray(offset, offset + length))).toBe(true);
  }
  expect(await image.read(400_000 - length + 1, length)).toBeUndefined();
  const file = openSync(path, 'r+');
  writeSync(file, 'another', 0);
  closeSync(file);
  expect(await image.read(0, length)).toBeUndefined();
  image.close();
});
