import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';

import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { syncFolder, writeDurably } from './write-durably.js';
import { renameOver } from './file-systems/rename-over.js';
import { reasonOf, systemErrorCode } from './system-error.js';
import { whyOddLink } from './regular-file.js';
import { realPath } from './read-policy.js';

const ownerOnly = 0o600;

interface ReplaceOptions {
  readonly mode?: number;
  /** An older file keeps its mode. */
  readonly keepsMode?: boolean;
  /** Follows a link at the path; only for paths that the user named. Otherwise the link itself is replaced. */
  readonly followsLink?: boolean;
}

/**
 * Writes a file in one step, readable by its owner only unless `mode` is set. An older file stays until the new one is complete.
 * Problems: dir/not-writable.
 */
export function replaceFile(
  path: string,
  contents: string,
  { mode = ownerOnly, keepsMode = false, followsLink = false }: ReplaceOptions = {},
): Result<void> {
  const target = followsLink ? realPath(path) : join(realPath(dirname(resolve(path))), basename(path));
  const draft = join(dirname(target), `.${basename(target)}.new`);
  try {
    const there = lstatSync(target, { throwIfNoEntry: false });
    if (there !== undefined && !there.isFile() && !there.isSymbolicLink()) {
      return notWritable(path, 'it is not a regular file');
    }
    const oddLink = there?.isSymbolicLink() === true ? whyOddLink(target) : undefined;
    if (oddLink !== undefined) return notWritable(path, oddLink, 'remove the link');
    if (lstatSync(draft, { throwIfNoEntry: false })?.isDirectory() === true)
      return notWritable(path, `the folder ${draft} is in the place of its draft`, 'move the folder away');
    rmSync(draft, { force: true });
    writeDurably(draft, contents, keepsMode && there?.isFile() === true ? there.mode & 0o777 : mode);
    renameOver(draft, target);
    syncFolder(dirname(target));
    return success(undefined);
  } catch (error) {
    removeDraft(draft);
    return notWritable(path, reasonOf(error));
  }
}

/** A draft that cannot be removed is replaced by the next run. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
  }
}

/** Whether a path is `other` or below it. The file need not exist. */
export function isSameOrBelow(path: string, other: string): boolean {
  const outer = realPath(other);
  return realPath(path) === outer || realPath(path).startsWith(outer + sep);
}

function notWritable(
  path: string,
  reason: string,
  hint = 'free disk space or grant write permission, and run the command again',
): Result<never> {
  return failure(problem('dir/not-writable', `cannot write ${path}: ${reason}`, { hint }));
}
