import { statSync, type Stats } from 'node:fs';
import { geteuid } from 'node:process';

import { keepsModes } from './file-systems/modes.js';

/**
 * Returns why a file that controls what is written is not trusted: users other than the caller, the owner of `folder` and root can
 * write it. Undefined if it is trusted. Where the file system has no modes, access is restricted only by the mount options, or
 * by the folder's access list on Windows.
 */
export function whyUntrusted(file: Stats, folder: string): string | undefined {
  if (geteuid !== undefined && ![0, geteuid(), statSync(folder).uid].includes(file.uid))
    return `it belongs to user ${file.uid}, neither you nor the owner of its folder`;
  if ((file.mode & writableByOthers) !== 0 && keepsModes(folder))
    return `other users can write to it (mode ${(file.mode & 0o7777).toString(8).padStart(4, '0')})`;
  return undefined;
}

/** S_IWGRP and S_IWOTH (inode(7)). */
const writableByOthers = 0o022;
