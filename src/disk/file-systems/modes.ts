import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { kernelId } from '../lock/kernel.js';
import { draftSuffix, lockName } from '../lock/lock-names.js';
import { isUnsupported } from './unsupported.js';

/** On Windows every file shows 0666 or 0444 (libuv, fs__stat_impl); access is controlled by the folder's access list. */
export function hasModes(): boolean {
  return process.platform !== 'win32';
}

/**
 * Whether the file system of a folder stores file modes. FAT, exFAT and shared folders of virtual machines show the mode of the mount
 * for every file. Tests it with a temporary file; returns true if none can be created.
 */
export function keepsModes(folder: string): boolean {
  if (!hasModes()) return false;
  // The name of a claim draft, so that the next run removes the file if this one is killed.
  const path = join(folder, `${lockName}.${kernelId()}.${randomBytes(8).toString('hex')}${draftSuffix}`);
  try {
    const file = openSync(path, 'wx', ownerReads);
    try {
      return modeAfter(file, ownerReads) === ownerReads && modeAfter(file, allRead) === allRead;
    } finally {
      closeSync(file);
      rmSync(path, { force: true });
    }
  } catch {
    return true;
  }
}

const ownerReads = 0o600;
const allRead = 0o644;

function modeAfter(file: number, mode: number): number {
  setMode(file, mode);
  return fstatSync(file).mode & 0o7777;
}

/** Whether a file has the wanted mode, or its file system does not store modes. */
export function isModeIn(folder: string, found: number, wanted: number): boolean {
  return (found & 0o7777) === wanted || !keepsModes(folder);
}

/** Sets the mode of a file that this process created. File systems without modes are ignored. */
export function setMode(file: number, mode: number): void {
  try {
    fchmodSync(file, mode);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}
