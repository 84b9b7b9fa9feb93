import { statSync, type Stats } from 'node:fs';
import { geteuid } from 'node:process';

import { keepsModes } from './file-systems/modes.js';

/**
 * Why a file that decides what is written must not be believed: somebody can write it who is neither the caller nor the
 * owner of `folder` (nor root, who can write everything). Undefined when it may be believed. Where the file system has no modes, only
 * whoever mounts it, or the folder's access list on Windows, keeps others out.
 */
export function whyUntrusted(file: Stats, folder: string): string | undefined {
  if (geteuid !== undefined && ![0, geteuid(), statSync(folder).uid].includes(file.uid))
    return `it belongs to user ${file.uid}, who is neither you nor the owner of its folder`;
  if ((file.mode & writableByOthers) !== 0 && keepsModes(folder))
    return `others than its owner can write it (mode ${(file.mode & 0o7777).toString(8).padStart(4, '0')})`;
  return undefined;
}

/** S_IWGRP and S_IWOTH (inode(7)). */
const writableByOthers = 0o022;
