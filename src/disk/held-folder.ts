import { closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { systemErrorCode } from './system-error.js';
import { procPath } from './file-systems/proc.js';

/** An open folder. A file or link put at its path while it is open, such as a link elsewhere, is not entered. */
export interface HeldFolder {
  /** Path of an entry, for any file system call. */
  readonly at: (name: string) => string;
  readonly close: () => void;
}

/** Folders that we create may contain secrets, so only their owner can enter them. */
const folderMode = 0o700;

/**
 * Opens `parts` below `root` without following links, and creates missing folders with `make`. Throws the system error for a
 * part that is missing or not a folder.
 */
export function holdFolder(
  root: string,
  parts: readonly string[],
  { make = false }: { readonly make?: boolean } = {},
): HeldFolder {
  let held = holdOne(root, 0);
  for (const part of parts) {
    const outer = held;
    try {
      if (make) makeFolder(outer.at(part));
      held = holdOne(outer.at(part), constants.O_NOFOLLOW);
    } finally {
      outer.close();
    }
  }
  return held;
}

function holdOne(path: string, flags: number): HeldFolder {
  const folder = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | flags);
  // On Linux an entry of an open folder has a path below /proc/self/fd (proc_pid_fd(5)); elsewhere use the path of the folder.
  const own = procPath('self/fd', String(folder));
  const base = own !== undefined && existsSync(own) ? own : path;
  return {
    at: (name) => join(base, name),
    close: () => {
      closeSync(folder);
    },
  };
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: folderMode });
  } catch (error) {
    if (systemErrorCode(error) !== 'EEXIST') throw error;
  }
}
