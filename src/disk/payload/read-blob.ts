import { closeSync, openSync } from 'node:fs';

import { imageFromFile } from '../image/image-file.js';
import type { BlobPlace } from './blob-places.js';

/** The bytes of a small blob; undefined if it cannot be read. */
export function readBlob({ file, offset, bytes }: BlobPlace): Buffer | undefined {
  try {
    const opened = openSync(file, 'r');
    try {
      return imageFromFile(opened, offset + bytes).read(offset, bytes);
    } finally {
      closeSync(opened);
    }
  } catch {
    return undefined;
  }
}
