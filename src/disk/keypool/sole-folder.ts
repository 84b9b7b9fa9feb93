import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { syncFolder, writeDurably } from '../durable.js';
import { systemErrorCode } from '../file-system-problem.js';

/** What came of a move: `there` when the new name is taken, `gone` when the folder is not where it was. */
export type Moved = 'moved' | 'there' | 'gone';

/**
 * Moves a folder with something in it to a name that has nothing, so that it outlives a power cut. Of all that move one folder, or move
 * folders to one name, at the same time, exactly one succeeds: rename(2) of a folder is atomic and refuses a name whose folder is not
 * empty, on NFS as well (RFC 1813 §3.3.14, RFC 8881 §18.26). Windows refuses any folder that is there, and says EPERM.
 */
export function moveFolder(from: string, to: string): Moved {
  try {
    renameSync(from, to);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || (code === 'EPERM' && existsSync(to))) return 'there';
    if (code === 'ENOENT') return 'gone';
    throw error;
  }
  syncFolder(dirname(to));
  syncFolder(dirname(from));
  return 'moved';
}

/** A folder of a new name with one file in it, for its owner's eyes only, that outlives a power cut. */
export function draftFolder(drafts: string, name: string, contents: string | Uint8Array): string {
  const draft = join(drafts, randomBytes(16).toString('hex'));
  makeFolders(draft);
  writeDurably(join(draft, name), contents, 0o600);
  syncFolder(draft);
  return draft;
}

/** Publishes a folder with one file in it under a name that has nothing; false, and nothing is changed, where it has. */
export function publishFolder(draft: string, to: string): boolean {
  makeFolders(dirname(to));
  if (moveFolder(draft, to) === 'moved') return true;
  rmSync(draft, { recursive: true, force: true });
  return false;
}

/** Makes what is missing of a path; only its owner enters it. */
export function makeFolders(path: string): void {
  mkdirSync(path, { recursive: true, mode: 0o700 });
}
