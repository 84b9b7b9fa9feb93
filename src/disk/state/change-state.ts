import { basename, dirname, join, resolve } from 'node:path';
import { existsSync } from 'node:fs';

import { secretFile } from '../../core/output-file.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { commit } from '../commit.js';
import { openDirectory } from '../directory.js';
import type { StateAccess } from './state-access.js';
import { readState, stateFileName, type StoredState } from './state-file.js';

/** A state file, named by its directory or by its path. */
export interface StateLocation {
  readonly dir: string;
  readonly stateFile?: string;
  readonly access: StateAccess;
}

/**
 * Replaces a state file by the result of `change`, in one step, while the directory is locked. `command` is the user's command line, for
 * the message to other runs.
 * Problems: state/absent, those of the directory, of `readState` and of `change`.
 */
export async function changeState(
  named: StateLocation & { readonly command: string },
  change: (stored: StoredState) => Promise<Result<string>>,
): Promise<Result<void>> {
  if (named.access.outside) return noFile(named.access.outside.shownAs);
  const { path } = pathsOf(named);
  const dir = dirname(path);
  if (!existsSync(dir)) return absent(path);
  const lock = await openDirectory(dir, named.command);
  if (!lock.ok) return lock;
  try {
    const stored = await readExistingState(named);
    if (!stored.ok) return stored;
    const text = await change(stored.value);
    if (!text.ok) return text;
    const written = commit(dir, { writes: [secretFile(basename(path), text.value)], removals: [] });
    return written.ok ? success(undefined, [...stored.warnings, ...text.warnings]) : written;
  } finally {
    lock.value.release();
  }
}

/** Reads a state file that must exist. Problems: state/absent, those of `readState`. */
export async function readExistingState(named: StateLocation): Promise<Result<StoredState>> {
  if (named.access.outside) return noFile(named.access.outside.shownAs);
  const { path, shownAs } = pathsOf(named);
  const read = await readState(path, shownAs, named.access);
  if (!read.ok) return read;
  return read.value === undefined ? absent(path) : success(read.value, read.warnings);
}

/** Path of the file, and its name in problems. */
function pathsOf({ dir, stateFile }: StateLocation): { readonly path: string; readonly shownAs: string } {
  return stateFile === undefined
    ? { path: join(dir, stateFileName), shownAs: stateFileName }
    : { path: stateFile, shownAs: resolve(stateFile) };
}

function noFile(given: string): Result<never> {
  const hint = 'name the file with --state FILE, or its directory with --dir';
  return failure(problem('usage/unknown-argument', `a state file is needed, not ${given}`, { hint }));
}

function absent(path: string): Result<never> {
  return failure(
    problem('state/absent', `state file not found: ${path}`, { hint: 'name its directory with --dir' }),
  );
}
