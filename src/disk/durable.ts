import { closeSync, existsSync, fchmodSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** Writes a file that is not there yet so that it outlives a power cut, with exactly this mode. */
export function writeDurably(path: string, contents: string | Uint8Array, mode: number): void {
  const file = openSync(path, 'wx', mode);
  try {
    // The process mask may have taken bits away that the file should have.
    fchmodSync(file, mode);
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
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
