import { mkdirSync, rmdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

import { problem } from '../core/problem.js';
import { quotedName } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { recover } from './commit.js';
import { withEarlierRuns } from './earlier-runs.js';
import { longLivedValues } from './state/value-labels.js';
import { fileNameFault } from './file-systems/file-names.js';
import { reasonOf } from './system-error.js';
import { takeLock, type Lock } from './lock/lock.js';
import { unmodifiedOutputs } from './outputs.js';
import { requireInside } from './record-file.js';
import { runRecordName } from './state/run-record.js';
import { differingLabel } from './state/state-storage.js';
import { noAccess, type StateAccess } from './state/state-access.js';
import {
  emptyState,
  readExternalState,
  readState,
  stateFileName,
  type State,
  type StoredState,
} from './state/state-file.js';
import { untrustedRecords } from './trust.js';

/**
 * Opens a directory for a run that writes: creates it if needed, locks it and completes an interrupted commit.
 * `within` is the folder that the directory must not lead out of, for a directory that the user did not name.
 */
export async function openDirectory(dir: string, command: string, within = dir): Promise<Result<Lock>> {
  const inside = requireInside(dir, within);
  if (!inside.ok) return inside;
  const refusal = fileNameFault(basename(resolve(dir)));
  if (refusal !== undefined) return cannotCreate(dir, refusal);
  let made: string | undefined;
  try {
    made = mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    return cannotCreate(dir, reasonOf(error));
  }
  const lock = await takeLock(dir, command);
  if (!lock.ok) return lock;
  const recovered = recover(dir);
  if (!recovered.ok) {
    lock.value.release();
    return recovered;
  }
  return success({
    release: () => {
      lock.value.release();
      if (made !== undefined) removeIfEmpty(resolve(dir), resolve(made));
    },
  });
}

function cannotCreate(dir: string, reason: string): Result<never> {
  const message = `cannot create the directory ${dir}: ${reason}`;
  return failure(problem('dir/not-writable', message, { hint: 'name another directory with --dir' }));
}

/** Removes folders that were created for a run that wrote nothing, innermost first. */
function removeIfEmpty(innermost: string, outermost: string): void {
  try {
    for (let folder = innermost; folder.startsWith(outermost); folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // Not empty: the run wrote something, so the folder stays.
  }
}

/** The state at the start of a run, and the state files it was read from. */
export interface LoadedState {
  readonly state: State;
  /** State file of the directory itself; undefined if there is none. */
  readonly own: StoredState | undefined;
  /** Every state that was read, the directory's own first. */
  readonly stored: readonly StoredState[];
}

/**
 * Loads the state of the directory, merged with the generated values of `stateFile` or of the state that `access` reads.
 * Problems: dir/state-conflict, state/kept-elsewhere, dir/untrusted and those of `readState`.
 */
export async function loadState(
  dir: string,
  stateFile: string | undefined,
  access: StateAccess = noAccess,
): Promise<Result<LoadedState>> {
  const untrusted = untrustedRecords(dir, [runRecordName]);
  if (untrusted.length > 0) return failure(...untrusted);
  const read = await readState(join(dir, stateFileName), stateFileName, access);
  if (!read.ok) return read;
  const own = read.value;
  const { outside } = access;
  const isOwn = stateFile === undefined || resolve(stateFile) === resolve(dir, stateFileName);
  if (outside === undefined && isOwn) {
    if (own?.state.externalValueHashes) return keptElsewhere();
    const state = withEarlierRuns(dir, own?.state ?? emptyState);
    return success({ state, own, stored: own ? [own] : [] }, read.warnings);
  }
  const other = outside ? await readExternalState(outside, access) : await readOther(stateFile ?? '', access);
  if (!other.ok) return other;
  const state = own
    ? mergeStates(own.state, { state: other.value.state, file: outside?.shownAs ?? stateFile ?? '' })
    : success({
        ...other.value.state,
        written: outside ? unmodifiedOutputs(dir, other.value.state.written) : {},
        lastRuns: {},
      });
  if (!state.ok) return state;
  const stored = own ? [own, other.value] : [other.value];
  const merged = withEarlierRuns(dir, state.value);
  return success({ state: merged, own, stored }, [...read.warnings, ...other.warnings]);
}

async function readOther(stateFile: string, access: StateAccess): Promise<Result<StoredState>> {
  const other = await readState(stateFile, stateFile, access);
  if (!other.ok) return other;
  if (other.value !== undefined) return success(other.value, other.warnings);
  const message = `state file not found: ${stateFile}`;
  return failure(problem('dir/state-unreadable', message, { hint: 'name the state file of an earlier run' }));
}

function keptElsewhere(): Result<never> {
  const message = `the keys of this directory are not in ${stateFileName} but in an external state`;
  const hint = 'name that state with --state or --state-command, as in the last run';
  return failure(problem('state/kept-elsewhere', message, { at: { file: stateFileName }, hint }));
}

/** States conflict if they hold different values for one label. Values that depend on the time of issue come from `own`. */
function mergeStates(own: State, other: { readonly state: State; readonly file: string }): Result<State> {
  const { generatedValues } = other.state;
  const differing = differingLabel(own, generatedValues);
  if (differing === undefined) {
    const cluster = own.cluster ?? other.state.cluster;
    return success({
      ...own,
      ...(cluster && { cluster }),
      generatedValues: { ...longLivedValues(generatedValues), ...own.generatedValues },
    });
  }
  const message = `this directory already has a state file, which differs from ${other.file} in ${quotedName(differing)}`;
  return failure(problem('dir/state-conflict', message, { hint: 'use an empty directory with --dir' }));
}
