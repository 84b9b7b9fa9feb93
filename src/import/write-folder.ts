import { problem } from '../core/problem.js';
import { failure, type Result } from '../core/result.js';
import { commitFiles } from '../disk/commit-files.js';
import { cachedInputs } from '../disk/read-inputs.js';
import { isSameOrBelow } from '../disk/replace-file.js';
import type { Inputs } from '../graph/context.js';

export interface NewFolder {
  /** The value of `--dir`. */
  readonly dir: string;
  /** The source folder, which is never written to. */
  readonly from: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Whether the folder may contain files. Files with the same names are replaced. */
  readonly isForced: boolean;
  /** Finds existing files that must be neither kept nor replaced. Called only with `isForced`. */
  readonly inTheWay?: (there: Inputs) => FolderConflict | undefined;
  /** The command line, for the message of a concurrent run that finds the lock. */
  readonly command: string;
}

/** Why a folder cannot be written to. `words` follow its name in the message. */
export interface FolderConflict {
  readonly words: string;
  readonly hint: string;
}

/**
 * Writes files with owner-only permissions, all or none, into a folder that is empty or missing. Problems: import/folder-taken,
 * dir/….
 */
export async function writeFolder(folder: NewFolder): Promise<Result<void>> {
  const { dir, files, command } = folder;
  const conflict = conflictWith(folder);
  if (conflict !== undefined)
    return failure(problem('import/folder-taken', `--dir ${dir} ${conflict.words}`, { hint: conflict.hint }));
  return commitFiles(dir, { files, command });
}

function conflictWith({ dir, from, isForced, inTheWay }: NewFolder): FolderConflict | undefined {
  const there = cachedInputs(dir, {});
  const entries = there.list('.') ?? [];
  if (entries.length === 0) return undefined;
  const hint = isForced ? 'use another directory' : 'set --dir to another directory, or use --overwrite';
  if (isSameOrBelow(dir, from) && isSameOrBelow(from, dir))
    return { words: 'is the directory to import', hint };
  return isForced ? inTheWay?.(there) : { words: 'is not empty', hint };
}
