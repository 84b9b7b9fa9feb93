import { closeSync, existsSync, fsyncSync, openSync, writeSync } from 'node:fs';

import { setMode } from './file-systems/modes.js';
import { isUnsupported } from './file-systems/unsupported.js';

/** Creates a file that survives a power failure, with exactly this mode where the file system supports modes. */
export function writeDurably(path: string, contents: string | Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    // The umask may have cleared bits of the mode.
    setMode(file, mode);
    const bytes = typeof contents === 'string' ? Buffer.from(contents) : contents;
    for (let offset = 0; offset < bytes.length;) offset += writeSync(file, bytes, offset);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes renames in a folder survive a power failure. */
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
    // Some file systems cannot sync folders (fsync(2), EINVAL); their renames are as durable as they get.
    if (!isUnsupported(error)) throw error;
  }
}
