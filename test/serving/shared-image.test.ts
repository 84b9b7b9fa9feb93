import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { openShared } from '../../src/serving/media/shared-image.js';
import { scratchFolder } from '../support/scratch.js';
import { soundValue } from '../support/sound-value.js';

test('reads exactly the bytes of the file, and none once it was written to', async () => {
  const path = join(scratchFolder(), 'image');
  const bytes = Buffer.from(Array.from({ length: 400_000 }, (_, at) => (at * 31) % 251));
  writeFileSync(path, bytes);
  const image = soundValue(openShared('--iso', path));
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
