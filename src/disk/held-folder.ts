import { closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';

import { systemErrorCode } from './file-system-problem.js';
import { procPath } from './file-systems/proc.js';

/**
 * A folder that stays the same while it is held: what is put at its place meanwhile, such as a link that leads elsewhere,
 * is not entered.
 */
export interface HeldFolder {
  /** The path of an entry, for any call that takes one. */
  readonly at: (name: string) => string;
  readonly close: () => void;
}

/** Folders we make may hold secrets, so only their owner enters them. */
const folderMode = 0o700;

/**
 * Enters `parts` below `root` without following a link, making what is missing if asked to. Throws the system error of a
 * part that is missing or no folder.
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
  // An entry of an open folder has a path of its own on Linux (proc_pid_fd(5)); elsewhere the folder's path must do.
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
