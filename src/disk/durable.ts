import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';

import { setMode } from './file-systems/modes.js';
import { isUnsupported } from './file-systems/unsupported.js';

/** Writes a file that is not there yet so that it outlives a power cut, with exactly this mode where the file system has modes. */
export function writeDurably(path: string, contents: string | Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    // The process mask may have taken bits away that the file should have.
    setMode(file, mode);
    const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
    for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes renames in a folder outlive a power cut. */
export function syncFolder(path: string): void {
  if (!existsSync(path)) return;
  try {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    // Some file systems know no such call for folders (fsync(2), EINVAL); what they promise of renames is all there is.
    if (!isUnsupported(error)) throw error;
  }
}
