import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';

import type { InputDigest } from '../graph/context.js';
import type { ReadPolicy } from './read-policy.js';
import { unopened } from './regular-file.js';

const pieceBytes = 1024 * 1024;

/** SHA-256 of a regular file of any size, read in pieces. Follows links; rejects devices and pipes without waiting for them. */
export function digestFile(path: string, reach?: ReadPolicy): InputDigest {
  try {
    // Opening a device can have side effects, so check the path first and the opened file again.
    if (!statSync(path).isFile()) return notRegular;
    return digestOpened(path, reach);
  } catch (error) {
    return unopened(path, error);
  }
}

const notRegular = { kind: 'unreadable', reason: 'it is not a regular file' } as const;

function digestOpened(path: string, reach?: ReadPolicy): InputDigest {
  // Without O_NONBLOCK, opening a FIFO blocks until another process opens it for writing (open(2)).
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return notRegular;
    const reason = reach?.({ path, descriptor: file, stats });
    if (reason !== undefined) return { kind: 'unreadable', reason };
    const hash = createHash('sha256');
    const piece = Buffer.alloc(pieceBytes);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read));
    return { kind: 'file', sha256: hash.digest('hex') };
  } finally {
    closeSync(file);
  }
}
