import { closeSync, constants, fstatSync, openSync, readSync, statSync, type Stats } from 'node:fs';

import { dirname, join } from 'node:path';

import { reasonOf, systemErrorCode } from './file-system-problem.js';
import { reachBelow, type Reach } from './reach.js';

/** No file of ours comes near this; a larger one was named by mistake and is not read into memory. */
export const maxFileBytes = 64 * 1024 * 1024;

/** What stands at a path, links followed. */
export type FileRead =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads a regular file of at most `maxBytes`. Anything else is refused without waiting for it: a FIFO has no end, a
 * device may have none, and a folder has no text.
 */
export function readRegularFile(path: string, maxBytes: number = maxFileBytes, reach?: Reach): FileRead {
  try {
    // Opening a device can already do something, so it is looked at first; what was opened is looked at again.
    const refusal = whyRefused(statSync(path), maxBytes);
    return refusal === undefined
      ? readOpened(path, maxBytes, reach)
      : { kind: 'unreadable', reason: refusal };
  } catch (error) {
    return systemErrorCode(error) === 'ENOENT'
      ? { kind: 'absent' }
      : { kind: 'unreadable', reason: reasonOf(error) };
  }
}

/** The same of a file below a folder: one behind a link that leads out of the folder is not read. */
export function readBelow(root: string, path: string, maxBytes?: number): FileRead {
  return readRegularFile(join(root, path), maxBytes, reachBelow(root));
}

/** The same of a file that the program keeps under a name of its own: in its folder, and not behind a link that leads out of that. */
export function readOwnFile(path: string, maxBytes?: number): FileRead {
  return readRegularFile(path, maxBytes, reachBelow(dirname(path)));
}

function readOpened(path: string, maxBytes: number, reach?: Reach): FileRead {
  // Without O_NONBLOCK, opening a FIFO waits for somebody to write into it (open(2)).
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    const refusal = whyRefused(stats, maxBytes) ?? reach?.({ path, descriptor: file, stats });
    if (refusal !== undefined) return { kind: 'unreadable', reason: refusal };
    const bytes = readUpTo(file, maxBytes, stats.size);
    return bytes === undefined
      ? { kind: 'unreadable', reason: tooLarge(maxBytes) }
      : { kind: 'file', bytes, stats };
  } finally {
    closeSync(file);
  }
}

function whyRefused(stats: Stats, maxBytes: number): string | undefined {
  if (stats.isDirectory()) return 'it is a folder, not a file';
  if (!stats.isFile()) return 'it is not a regular file';
  return stats.size > maxBytes ? tooLarge(maxBytes) : undefined;
}

/**
 * All that an open file holds; undefined when it is more than the limit. `size` is what it says itself, which may be nothing, as
 * files of /proc and pipes do.
 */
export function readUpTo(file: number, maxBytes: number, size = 0): Buffer | undefined {
  // One byte more than it says, which then is found to be its end. Of a buffer of its own: what is kept of a file keeps all of that.
  let held = Buffer.allocUnsafeSlow(size > 0 ? size + 1 : firstBytes);
  for (let total = 0; total <= maxBytes;) {
    if (total === held.length) held = Buffer.concat([held], 2 * held.length);
    const read = readSync(file, held, total, held.length - total, null);
    if (read === 0) return total + 1 < held.length ? ownCopy(held, total) : held.subarray(0, total);
    total += read;
  }
  return undefined;
}

/** The beginning of it, without the rest of a buffer or of the pool that `Buffer.from` takes from. */
function ownCopy(held: Buffer, bytes: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes);
  held.copy(copy, 0, 0, bytes);
  return copy;
}

/** Of what does not say how large it is. */
const firstBytes = 64 * 1024;

/** Why something was not read. */
export function tooLarge(maxBytes: number): string {
  return `it is larger than ${maxBytes} bytes`;
}
