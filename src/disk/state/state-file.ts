import { chmodSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { SealedBy } from '../../formats/age.js';
import { sha256 } from '../../formats/sha256.js';
import { reasonOf } from '../file-system-problem.js';
import { hasModes, keepsModes } from '../file-systems/modes.js';
import { isUnsupported } from '../file-systems/unsupported.js';
import { readOwnFile, readRegularFile } from '../regular-file.js';
import { whyUntrusted } from '../trust.js';
import { openState } from './open-state.js';
import { noAccess, type OutsideState, type StateAccess } from './state-access.js';
import type { State } from './state-model.js';
import { parseState, unreadable } from './state-text.js';

export { emptyState, type State } from './state-model.js';
export { serializeState } from './state-text.js';

/** A state as it stands in a file. */
export interface StoredState {
  readonly state: State;
  /** The text of the state, opened where the file is encrypted. */
  readonly text: string;
  /** How the file is encrypted; undefined for a plain one. */
  readonly sealedBy?: SealedBy;
  /** Of the file as it is, in hex. */
  readonly sha256: string;
}

/** In the directory, where `--state` names no other. */
export const stateFileName = '.sno-install-state.json';

/**
 * The state kept at `path`; undefined when there is none. One that others may read is made its owner's alone.
 * Problems: dir/state-unreadable, dir/state-version, dir/untrusted, dir/state-exposed, and for an encrypted one those of `access`
 * and state/no-identity, state/wrong-identity.
 */
export async function readState(
  path: string,
  shownAs: string,
  access: StateAccess = noAccess,
): Promise<Result<StoredState | undefined>> {
  // A file that --state names may be a link to anywhere.
  const read = shownAs === stateFileName ? readOwnFile(path) : readRegularFile(path);
  if (read.kind === 'absent') return success(undefined);
  if (read.kind === 'unreadable') return unreadable(shownAs, read.reason);
  const reason = whyUntrusted(read.stats, dirname(path));
  if (reason !== undefined) return untrusted(shownAs, reason);
  const stored = await parseStored(read.bytes, shownAs, access);
  return stored.ok ? success(stored.value, tightened(path, shownAs, read.stats.mode)) : stored;
}

/** The state that stdin or a command gives. Problems: those of `readState` for its text, and of `outside`. */
export async function readOutsideState(
  outside: OutsideState,
  access: StateAccess,
): Promise<Result<StoredState>> {
  const bytes = await outside.read();
  if (!bytes.ok) return bytes;
  const stored = await parseStored(bytes.value, outside.shownAs, access);
  // There is no file to look into.
  return stored.ok ? stored : failure(...stored.problems.map(withoutPlace));
}

function withoutPlace({ code, severity, message, hint }: Problem): Problem {
  return { code, severity, message, ...(hint !== undefined && { hint }) };
}

async function parseStored(
  bytes: Uint8Array,
  shownAs: string,
  access: StateAccess,
): Promise<Result<StoredState>> {
  const opened = await openState(bytes, shownAs, access);
  if (!opened.ok) return opened;
  const state = parseState(opened.value.text, shownAs);
  return state.ok ? success({ ...opened.value, state: state.value, sha256: sha256(bytes) }) : state;
}

/** The warning that the state file of a directory, which was just made, can be read by others. */
export function exposedState(dir: string): readonly Problem[] {
  const path = join(dir, stateFileName);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : tightened(path, stateFileName, stats.mode);
}

/**
 * Takes from others what a copy, a careless mask or the file system gave them. Gives a warning, dir/state-exposed, where that fails.
 * @internal
 */
export function tightened(path: string, shownAs: string, mode: number): readonly Problem[] {
  if ((mode & 0o077) === 0 || !hasModes()) return [];
  try {
    chmodSync(path, 0o600);
    if ((statSync(path).mode & 0o077) === 0) return [];
    return [exposed(shownAs, withoutModes, privateMount)];
  } catch (error) {
    if (isUnsupported(error) && !keepsModes(dirname(path)))
      return [exposed(shownAs, withoutModes, privateMount)];
    return [exposed(shownAs, reasonOf(error), 'make it `chmod 600`')];
  }
}

const withoutModes = 'the file system has no permissions';
const privateMount =
  'mount it for yourself alone (umask=077), use another directory, or encrypt state and outputs';

function exposed(shownAs: string, reason: string, way: string): Problem {
  const message = `others can read ${shownAs}, and that cannot be taken back: ${reason}`;
  const hint = `it holds every private key of the cluster: ${way}`;
  return problem('dir/state-exposed', message, { at: { file: shownAs }, hint });
}

function untrusted(shownAs: string, reason: string): Result<never> {
  const message = `the state file ${shownAs} is not used: ${reason}`;
  const hint = 'when it is yours, mend that with `chown` or `chmod go-w`; else use another directory';
  return failure(problem('dir/untrusted', message, { at: { file: shownAs }, hint }));
}
