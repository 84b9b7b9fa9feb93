import { expect, it } from 'vitest';

import { digestImage } from '../../../src/disk/image/image-digests.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { imageInMemory, type DiskImage } from '../../../src/formats/disk-image.js';

const mebibyte = 1024 * 1024;
const bytes = Buffer.alloc(2 * mebibyte + 3, 'ab');
const image = imageInMemory(bytes);

it('returns digests before and after the patches, and passes chunks on unchanged', () => {
  const patches = [
    { offset: 5, bytes: Buffer.from('within a piece') },
    { offset: mebibyte - 3, bytes: Buffer.from('over two pieces') },
    { offset: 2 * mebibyte + 2, bytes: Buffer.from('!') },
  ];
  const wanted = Buffer.from(bytes);
  for (const patch of patches) wanted.set(patch.bytes, patch.offset);
  const pieces: Buffer[] = [];
  const digests = digestImage(image, patches, (piece) => pieces.push(piece));

  expect(digests).toEqual({ before: sha256(bytes), after: sha256(wanted) });
  expect(pieces.map(({ length }) => length)).toEqual([mebibyte, mebibyte, 3]);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
});

it('returns equal digests without patches', () => {
  expect(digestImage(image, [])).toEqual({ before: sha256(bytes), after: sha256(bytes) });
});

it('returns no digests if the image ends early', () => {
  const cut: DiskImage = {
    bytes: bytes.length,
    read: (offset, length) => (offset < 2 * mebibyte ? image.read(offset, length) : undefined),
  };
  expect(() => digestImage(cut, [])).toThrow(new Error('the image ended early'));
});
