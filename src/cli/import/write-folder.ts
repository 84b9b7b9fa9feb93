import { secretFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, problemsOf, type Result } from '../../core/result.js';
import { commit } from '../../disk/commit.js';
import { openDirectory } from '../../disk/directory.js';
import { inputsOf } from '../../disk/read-inputs.js';
import { liesIn } from '../../disk/replace-file.js';

/** Files for a folder of their own. */
export interface NewFolder {
  /** As `--dir` names it. */
  readonly dir: string;
  /** The folder that the files were made from, which is never written to. */
  readonly from: string;
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Whether the folder may hold files, those of the same names to be replaced. */
  readonly isForced: boolean;
  /** As the user typed it, for a second run that meets the lock. */
  readonly command: string;
}

/**
 * Writes files into a folder that is empty or not there yet, all of them or none, for their owner's eyes only.
 * Problems: import/folder-taken, dir/….
 */
export async function writeFolder(folder: NewFolder): Promise<Result<void>> {
  const { dir, files, command, isForced } = folder;
  const taken = whyTaken(folder);
  if (taken !== undefined) {
    const hint = isForced ? 'name another folder' : 'name another folder with --dir, or say --force';
    return failure(problem('import/folder-taken', `--dir ${dir} ${taken}`, { hint }));
  }
  const lock = await openDirectory(dir, command);
  if (!lock.ok) return lock;
  try {
    const writes = files.map(({ path, text }) => secretFile(path, text));
    const written = commit(dir, { writes, removals: [] });
    return written.ok ? written : failure(...problemsOf(written));
  } finally {
    lock.value.release();
  }
}

function whyTaken({ dir, from, isForced }: NewFolder): string | undefined {
  const entries = inputsOf(dir, {}).list('.') ?? [];
  if (entries.length === 0) return undefined;
  if (liesIn(dir, from) && liesIn(from, dir)) return 'is the folder that is imported';
  return isForced ? undefined : 'holds files already';
}
