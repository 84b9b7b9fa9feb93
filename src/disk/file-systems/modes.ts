import { randomBytes } from 'node:crypto';
import { closeSync, fchmodSync, fstatSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';

import { kernelId } from '../lock/kernel.js';
import { draftSuffix, lockName } from '../lock/lock-names.js';
import { isUnsupported } from './unsupported.js';

/** On Windows every file shows 0666 or 0444 (libuv, fs__stat_impl): the access list of its folder says who reads it. */
export function hasModes(): boolean {
  return process.platform !== 'win32';
}

/**
 * Whether files in a folder have the permissions that they are given. FAT and exFAT show those that the mount says, of every file; so do
 * folders that a virtual machine shares. A file is made and taken away again; where none can be made, they are believed to have them.
 */
export function keepsModes(folder: string): boolean {
  if (!hasModes()) return false;
  // Of a draft of a claim, which the next run takes away when this one is killed.
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

/** Whether a mode that was found in a folder is the wanted one, or as near to it as the file system comes. */
export function isModeIn(folder: string, found: number, wanted: number): boolean {
  return (found & 0o7777) === wanted || !keepsModes(folder);
}

/** Gives a file of ours a mode, where the file system has any: nothing else can keep its owner from that. */
export function setMode(file: number, mode: number): void {
  try {
    fchmodSync(file, mode);
  } catch (error) {
    if (!isUnsupported(error)) throw error;
  }
}
