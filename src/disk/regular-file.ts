import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';

import { dirname, join } from 'node:path';

import { reasonOf, systemErrorCode } from './system-error.js';
import { readPolicyBelow, type ReadPolicy } from './read-policy.js';

/** None of our files is nearly this large. A larger file was named by mistake and is not read into memory. */
export const maxFileBytes = 64 * 1024 * 1024;

/** Result of reading a path, links followed. */
export type FileRead =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly stats: Stats }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/**
 * Reads a regular file of at most `maxBytes`. Rejects anything else without blocking: a FIFO or a device may have no end,
 * and a folder has no text.
 */
export function readRegularFile(path: string, maxBytes: number = maxFileBytes, reach?: ReadPolicy): FileRead {
  try {
    // Opening a device can have side effects, so check the path first and the opened file again.
    const refusal = whyRefused(statSync(path), maxBytes);
    return refusal === undefined
      ? readOpened(path, maxBytes, reach)
      : { kind: 'unreadable', reason: refusal };
  } catch (error) {
    return unopened(path, error);
  }
}

/** A file that cannot be opened. A link to a missing file is not absent: its target may be on a volume that is not mounted. */
export function unopened(path: string, error: unknown): Exclude<FileRead, { kind: 'file' }> {
  if (systemErrorCode(error) !== 'ENOENT') return { kind: 'unreadable', reason: reasonOf(error) };
  return isLink(path)
    ? { kind: 'unreadable', reason: 'it is a symbolic link to a file that does not exist' }
    : { kind: 'absent' };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Why a symbolic link in the place of an own file is not replaced: its target is missing or not a regular file. */
export function whyOddLink(path: string): string | undefined {
  const target = statSync(path, { throwIfNoEntry: false });
  if (target?.isFile() === true) return undefined;
  const words = target === undefined ? 'a file that does not exist' : 'something that is not a regular file';
  return `it is a symbolic link to ${words}`;
}

/** Reads a regular file below a folder. Rejects a link that leads out of the folder. */
export function readBelow(root: string, path: string, maxBytes?: number): FileRead {
  return readRegularFile(join(root, path), maxBytes, readPolicyBelow(root));
}

/** Reads a file whose name the program chose. Rejects a link that leads out of its folder. */
export function readOwnFile(path: string, maxBytes?: number): FileRead {
  return readRegularFile(path, maxBytes, readPolicyBelow(dirname(path)));
}

function readOpened(path: string, maxBytes: number, reach?: ReadPolicy): FileRead {
  // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing (open(2)).
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
 * Reads an open file to its end; undefined if it exceeds the limit. `size` is the reported size, which is 0 for pipes and files in
 * /proc.
 */
export function readUpTo(file: number, maxBytes: number, size = 0): Buffer | undefined {
  // One byte more than the reported size detects the end. A separate buffer, since a kept slice keeps its whole buffer in memory.
  let held = Buffer.allocUnsafeSlow(size > 0 ? size + 1 : initialBufferBytes);
  for (let total = 0; total <= maxBytes;) {
    if (total === held.length) held = Buffer.concat([held], 2 * held.length);
    const read = readSync(file, held, total, held.length - total, null);
    if (read === 0) return total + 1 < held.length ? ownCopy(held, total) : held.subarray(0, total);
    total += read;
  }
  return undefined;
}

/** The first bytes without the rest of the buffer, and without the shared pool that `Buffer.from` uses. */
function ownCopy(held: Buffer, bytes: number): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes);
  held.copy(copy, 0, 0, bytes);
  return copy;
}

/** For files that report no size. */
const initialBufferBytes = 64 * 1024;

export function tooLarge(maxBytes: number): string {
  return `it is larger than ${maxBytes} bytes`;
}
