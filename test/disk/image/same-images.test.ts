import { describe, expect, it } from 'vitest';

import { isSameImage } from '../../../src/disk/image/image-file.js';
import { imageInMemory, type DiskImage } from '../../../src/formats/disk-image.js';

const mebibyte = 1024 * 1024;

describe('two images', () => {
  const bytes = Buffer.alloc(2 * mebibyte + 3, 'ab');
  const whole = imageInMemory(bytes);
  /** An image with fewer bytes than its size. */
  const cutAt = (end: number): DiskImage => ({
    bytes: bytes.length,
    read: (offset, length) => (offset + length > end ? undefined : whole.read(offset, length)),
  });
  const changed = (at: number): DiskImage => {
    const other = Buffer.from(bytes);
    other[at] = 0;
    return imageInMemory(other);
  };

  it.each([
    { name: 'with the same bytes', other: imageInMemory(Buffer.from(bytes)), want: true },
    { name: 'with another first byte', other: changed(0), want: false },
    { name: 'with another byte in the middle', other: changed(mebibyte), want: false },
    { name: 'with another last byte', other: changed(2 * mebibyte + 2), want: false },
    { name: 'one of which is shorter', other: imageInMemory(bytes.subarray(1)), want: false },
    { name: 'one of which ends early', other: cutAt(mebibyte), want: false },
    { name: 'one of which cannot be read', other: cutAt(0), want: false },
  ])('$name are equal: $want', ({ other, want }) => {
    expect([isSameImage(whole, other), isSameImage(other, whole)]).toEqual([want, want]);
  });

  it('are equal if both are empty', () => {
    expect(isSameImage(imageInMemory(Buffer.alloc(0)), imageInMemory(Buffer.alloc(0)))).toBe(true);
  });
});
