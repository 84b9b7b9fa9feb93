import { expect, test } from 'vitest';

import { imageInMemory } from '../../src/formats/disk-image.js';
import { onlyPartition, partitionRange, singlePartitionTable } from '../../src/formats/gpt.js';

/** A disk of 8 MiB with one partition. */
function disk(sectorBytes: number): Buffer {
  const bytes = Buffer.alloc(8 * 1024 ** 2);
  for (const patch of singlePartitionTable({ bytes: bytes.length, sectorBytes }, 'sno-payload', 'seed'))
    patch.bytes.copy(bytes, patch.offset);
  return bytes;
}

test.each([512, 4096])('finds a partition by its name in a table with sectors of %d bytes', (sectorBytes) => {
  const image = imageInMemory(disk(sectorBytes));
  expect(partitionRange(image, 'sno-payload')).toEqual(onlyPartition(image.bytes));
  expect(partitionRange(image, 'sno')).toBeUndefined();
});

test('finds none without a table, in a cut table, and behind the end of the disk', () => {
  const whole = disk(512);
  for (const bytes of [Buffer.alloc(1024), whole.subarray(0, 1500), whole.subarray(0, 2 ** 20)])
    expect(partitionRange(imageInMemory(bytes), 'sno-payload')).toBeUndefined();
});
