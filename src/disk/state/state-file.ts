import { chmodSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { SealedBy } from '../../formats/age.js';
import { sha256 } from '../../formats/sha256.js';
import { reasonOf } from '../system-error.js';
import { hasModes, keepsModes } from '../file-systems/modes.js';
import { isUnsupported } from '../file-systems/unsupported.js';
import { readOwnFile, readRegularFile } from '../regular-file.js';
import { whyUntrusted } from '../trust.js';
import { openState } from './open-state.js';
import { noAccess, type ExternalState, type StateAccess } from './state-access.js';
import type { State } from './state-model.js';
import { parseState } from './state-text.js';

export { emptyState, type State } from './state-model.js';
export { serializeState } from './state-text.js';

/** A state and the file it was read from. */
export interface StoredState {
  readonly state: State;
  /** Text of the state, decrypted. */
  readonly text: string;
  /** Undefined for a plain file. */
  readonly sealedBy?: SealedBy;
  /** Hash of the file on disk, in hex. */
  readonly sha256: string;
}

/** File name in the directory, unless `--state` names another file. */
export const stateFileName = '.sno-install-state.json';

/**
 * Reads the state at `path`; undefined if there is none. Restricts a file that others can read to its owner.
 * Problems: dir/state-unreadable, dir/state-version, dir/untrusted, dir/state-exposed; for an encrypted file also those of `access`
 * and state/no-identity, state/wrong-identity.
 */
export async function readState(
  path: string,
  shownAs: string,
  access: StateAccess = noAccess,
): Promise<Result<StoredState | undefined>> {
  // A file named by --state may be a link to anywhere.
  const read = shownAs === stateFileName ? readOwnFile(path) : readRegularFile(path);
  if (read.kind === 'absent') return success(undefined);
  if (read.kind === 'unreadable') return unreadable(shownAs, read.reason);
  const reason = whyUntrusted(read.stats, dirname(path));
  if (reason !== undefined) return untrusted(shownAs, reason);
  const stored = await parseStored(read.bytes, shownAs, access);
  return stored.ok ? success(stored.value, restrictMode(path, shownAs, read.stats.mode)) : stored;
}

/** Reads a state from stdin or a command. Problems: those of `readState` for its text, and of `outside`. */
export async function readExternalState(
  outside: ExternalState,
  access: StateAccess,
): Promise<Result<StoredState>> {
  const bytes = await outside.read();
  if (!bytes.ok) return bytes;
  const stored = await parseStored(bytes.value, outside.shownAs, access);
  // There is no file to refer to.
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

/** Warns if other users can read the state file that was just written. */
export function exposedStateWarnings(dir: string): readonly Problem[] {
  const path = join(dir, stateFileName);
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? [] : restrictMode(path, stateFileName, stats.mode);
}

/**
 * Removes permissions of other users that come from a copy, the umask or the file system. Warns with dir/state-exposed if that fails.
 * @internal
 */
export function restrictMode(path: string, shownAs: string, mode: number): readonly Problem[] {
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
const privateMount = 'mount it with umask=077, use another directory, or encrypt state and outputs';

function exposed(shownAs: string, reason: string, way: string): Problem {
  const message = `other users can read ${shownAs}, and its mode cannot be changed: ${reason}`;
  const hint = `it contains every private key of the cluster: ${way}`;
  return problem('dir/state-exposed', message, { at: { file: shownAs }, hint });
}

/** The contents may be intact, so the hint never suggests new keys. */
function unreadable(shownAs: string, reason: string): Result<never> {
  const message = `cannot read the state file ${shownAs}: ${reason}`;
  const hint = 'make the file readable and run the command again; it contains the keys of the cluster';
  return failure(problem('dir/state-unreadable', message, { at: { file: shownAs }, hint }));
}

function untrusted(shownAs: string, reason: string): Result<never> {
  const message = `the state file ${shownAs} is not used: ${reason}`;
  const hint = 'if it is yours, correct this with `chown` or `chmod go-w`, otherwise use another directory';
  return failure(problem('dir/untrusted', message, { at: { file: shownAs }, hint }));
}
