import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import { byCodeUnit } from '../../core/compare.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { SealedBy } from '../../formats/age.js';
import { checkedAs } from '../../formats/fit-schema.js';
import { sha256 } from '../../formats/sha256.js';
import type { ClusterName } from '../../graph/context.js';
import { reasonOf } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { whyUntrusted } from '../trust.js';
import { insidePath, lastRunsShape, type LastRuns } from './last-run.js';
import { openState } from './open-state.js';
import { noAccess, type StateAccess } from './state-access.js';
import { list, members, names, text, time, type Shape } from './state-shape.js';

/** What is kept between runs. It holds every private key: the file is the cluster's bundle of secrets. */
export interface State {
  /** Chance by label; see `Draws`. */
  readonly draws: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of each output as last written, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** Environment variables and options that were inputs of the last run. */
  readonly environment: Readonly<Record<string, string>>;
  /** Which cluster the draws are of; absent in states of earlier versions, which the next run names. */
  readonly cluster?: ClusterName;
  /** Whether somebody changed the draws since they were written. */
  readonly isAltered?: true;
  /** RFC 3339: from when the last Ignition config may be booted; absent before there was one. */
  readonly bootableFrom?: string;
  /** RFC 3339: until when the last Ignition config may be booted; absent before there was one. */
  readonly bootableUntil?: string;
  /** To whom the file is encrypted, sorted; absent in plain ones, and where a passphrase opens it. */
  readonly recipients?: readonly string[];
  /** The last run of each target, by its name. */
  readonly lastRuns: LastRuns;
}

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
const stateVersion = 1;

/** The state before the first run. */
export const emptyState: State = { draws: {}, written: {}, environment: {}, lastRuns: {} };

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
  const read = readRegularFile(path);
  if (read.kind === 'absent') return success(undefined);
  if (read.kind === 'unreadable') return unreadable(shownAs, read.reason);
  const reason = whyUntrusted(read.stats, statSync(dirname(path)));
  if (reason !== undefined) return untrusted(shownAs, reason);
  const opened = await openState(read.bytes, shownAs, access);
  if (!opened.ok) return opened;
  const state = parseState(opened.value.text, shownAs);
  if (!state.ok) return state;
  const stored = { ...opened.value, state: state.value, sha256: sha256(read.bytes) };
  return success(stored, tightened(path, shownAs, read.stats.mode));
}

/** One line a draw, keys sorted, so that a copy in a vault can be compared by eye. */
export function serializeState(state: State): string {
  const { draws, written, environment, cluster, bootableFrom, bootableUntil, recipients, lastRuns } = state;
  const value = {
    version: stateVersion,
    note: 'holds every private key of the cluster: keep it like a password',
    ...(recipients && { recipients }),
    ...(cluster && { cluster: { name: cluster.name, baseDomain: cluster.baseDomain } }),
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
    environment: sorted(environment),
    draws: sorted(draws),
    drawsDigest: digestOf(draws),
    written: sorted(written),
    lastRuns: sorted(lastRuns),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** What a state file of this version holds; whatever else stands in it is let pass. */
const stateShape: Shape = members(
  {
    draws: (value, path) => names(text())(value, path) ?? members({}, { clock: time })(value, path),
    written: names(text(), insidePath),
    environment: names(text()),
  },
  {
    cluster: members({ name: text(), baseDomain: text() }),
    drawsDigest: text(),
    bootableFrom: time,
    bootableUntil: time,
    recipients: list(text()),
    lastRuns: lastRunsShape,
  },
);

function parseState(json: string, shownAs: string): Result<State> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return unreadable(shownAs, 'it is not JSON');
  }
  if (!isRecord(value)) return unreadable(shownAs, 'it is not a JSON object');
  if (value['version'] !== stateVersion) {
    const message = `${shownAs} has ${versionShown(value['version'])}, this program reads version ${stateVersion}`;
    return failure(problem('dir/state-version', message, { at: { file: shownAs } }));
  }
  const fault = stateShape(value, '');
  if (fault !== undefined)
    return unreadable(shownAs, `expected ${fault.expected} at ${fault.path}`, fault.path);
  const document = checkedAs<StateDocument>(value);
  const { draws, written, environment, cluster, bootableFrom, bootableUntil, recipients } = document;
  return success({
    draws,
    written,
    environment,
    lastRuns: document.lastRuns ?? {},
    ...(cluster && { cluster: { name: cluster.name, baseDomain: cluster.baseDomain } }),
    ...(document.drawsDigest !== digestOf(draws) && { isAltered: true }),
    ...(bootableFrom !== undefined && { bootableFrom }),
    ...(bootableUntil !== undefined && { bootableUntil }),
    ...(recipients && { recipients }),
  });
}

/** Anything but a number may be whatever got there by a slip. */
function versionShown(version: unknown): string {
  return typeof version === 'number' ? `state version ${version}` : 'no number as state version';
}

type StateDocument = Omit<State, 'lastRuns'> &
  Partial<Pick<State, 'lastRuns'>> & { readonly drawsDigest?: string };

/** Tells whether draws are as we wrote them, without looking at every key. It proves nothing against malice. */
function digestOf(draws: State['draws']): string {
  return sha256(JSON.stringify(sorted(draws)));
}

/**
 * Takes from others what a copy or a careless mask gave them. Gives a warning, dir/state-exposed, where that fails.
 * @internal
 */
export function tightened(path: string, shownAs: string, mode: number): readonly Problem[] {
  if ((mode & 0o077) === 0) return [];
  try {
    chmodSync(path, 0o600);
    return [];
  } catch (error) {
    const message = `others can read ${shownAs}, and that cannot be taken back: ${reasonOf(error)}`;
    const hint = 'it holds every private key of the cluster: make it `chmod 600`';
    return [problem('dir/state-exposed', message, { at: { file: shownAs }, hint })];
  }
}

function unreadable(shownAs: string, reason: string, path?: string): Result<never> {
  const message = `the state file ${shownAs} cannot be used: ${reason}`;
  const at = { file: shownAs, ...(path !== undefined && { path }) };
  return failure(problem('dir/state-unreadable', message, { at, hint: wayOut }));
}

const wayOut = 'restore it from a copy, or move it away to begin anew with other keys';

function untrusted(shownAs: string, reason: string): Result<never> {
  const message = `the state file ${shownAs} is not used: ${reason}`;
  const hint = 'when it is yours, mend that with `chown` or `chmod go-w`; else use another directory';
  return failure(problem('dir/untrusted', message, { at: { file: shownAs }, hint }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => byCodeUnit(left, right)));
}
