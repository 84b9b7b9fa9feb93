import { statSync, type BigIntStats } from 'node:fs';

import { systemErrorCode } from './system-error.js';

/** Size of a file in bytes; undefined if there is no accessible file. */
export function fileSize(path: string): number | undefined {
  const found = ifAccessible(() => statSync(path, { throwIfNoEntry: false }));
  return found?.isFile() === true ? found.size : undefined;
}

/**
 * A fingerprint that changes when the file is written or replaced, or when the folder gains or loses an entry.
 * Empty if there is nothing accessible.
 */
export function fingerprintOf(path: string): string {
  const found = exactStats(path);
  return found === undefined ? '' : statsFingerprint(found);
}

/** Fingerprint of a regular file; undefined if there is no accessible file. */
export function fileFingerprint(path: string): string | undefined {
  const found = exactStats(path);
  return found?.isFile() === true ? statsFingerprint(found) : undefined;
}

function exactStats(path: string): BigIntStats | undefined {
  return ifAccessible(() => statSync(path, { throwIfNoEntry: false, bigint: true }));
}

function statsFingerprint({ ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
}

/** Treats paths behind an unreadable folder or a link loop as absent. */
export function ifAccessible<Found>(look: () => Found): Found | undefined {
  try {
    return look();
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
