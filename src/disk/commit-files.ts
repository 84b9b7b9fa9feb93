import { secretFile } from '../core/output-file.js';
import { failure, problemsOf, type Result } from '../core/result.js';
import { commit } from './commit.js';
import { openDirectory } from './directory.js';

export interface FilesToCommit {
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** The command line, for the message of a concurrent run that finds the lock. */
  readonly command: string;
  /** Runs with the lock. No file is written if it fails. */
  readonly check?: () => Result<void>;
}

/** Writes files with owner-only permissions into a directory, all or none. Problems: those of `check`, dir/…. */
export async function commitFiles(
  dir: string,
  { files, command, check }: FilesToCommit,
): Promise<Result<void>> {
  const lock = await openDirectory(dir, command);
  if (!lock.ok) return lock;
  try {
    const checked = check?.();
    if (checked?.ok === false) return checked;
    const writes = files.map(({ path, text }) => secretFile(path, text));
    const written = commit(dir, { writes, removals: [] });
    return written.ok ? written : failure(...problemsOf(written));
  } finally {
    lock.value.release();
  }
}
