import { statSync, type BigIntStats } from 'node:fs';

import { systemErrorCode } from './file-system-problem.js';

/** Size of a file in bytes; undefined if there is no accessible file. */
export function fileSize(path: string): number | undefined {
  const found = seen(() => statSync(path, { throwIfNoEntry: false }));
  return found?.isFile() === true ? found.size : undefined;
}

/**
 * A fingerprint that changes when the file is written or replaced, or when the folder gains or loses an entry.
 * Empty if there is nothing accessible.
 */
export function markOf(path: string): string {
  const found = exactStats(path);
  return found === undefined ? '' : markIn(found);
}

/** Fingerprint of a regular file; undefined if there is no accessible file. */
export function markOfFile(path: string): string | undefined {
  const found = exactStats(path);
  return found?.isFile() === true ? markIn(found) : undefined;
}

function exactStats(path: string): BigIntStats | undefined {
  return seen(() => statSync(path, { throwIfNoEntry: false, bigint: true }));
}

function markIn({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Treats paths behind an unreadable folder or a link loop as absent. */
function seen<Stats>(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
