import { readFileSync } from 'node:fs';

import { byCodeUnit } from '../core/compare.js';
import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf, systemErrorCode } from './file-system-problem.js';
import { lastRunsIn, type LastRuns } from './last-run.js';

/** What is kept between runs. It holds every private key: the file is the cluster's bundle of secrets. */
export interface State {
  /** Chance by label; see `Draws`. */
  readonly draws: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of each output as last written, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** Environment variables that were inputs of the last run. */
  readonly environment: Readonly<Record<string, string>>;
  /** RFC 3339: until when the last Ignition config may be booted; absent before there was one. */
  readonly bootableUntil?: string;
  /** The last run of each target, by its name. */
  readonly lastRuns: LastRuns;
}

export const stateFileName = '.sno-install-state.json';
const stateVersion = 1;

export const emptyState: State = { draws: {}, written: {}, environment: {}, lastRuns: {} };

/** The state kept at `path`; undefined when there is none. Problems: dir/state-unreadable, dir/state-version. */
export function readState(path: string, shownAs: string): Result<State | undefined> {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return success(undefined);
    return unreadable(shownAs, reasonOf(error));
  }
  return parseState(text, shownAs);
}

/** One line a draw, keys sorted, so that a copy in a vault can be compared by eye. */
export function serializeState(state: State): string {
  const { draws, written, environment, bootableUntil, lastRuns } = state;
  const value = {
    version: stateVersion,
    note: 'holds every private key of the cluster: keep it like a password',
    ...(bootableUntil !== undefined && { bootableUntil }),
    environment: sorted(environment),
    draws: sorted(draws),
    written: sorted(written),
    lastRuns: sorted(lastRuns),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function parseState(text: string, shownAs: string): Result<State> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return unreadable(shownAs, 'it is not JSON');
  }
  if (!isRecord(value)) return unreadable(shownAs, 'it is not a JSON object');
  if (value['version'] !== stateVersion) {
    const message = `${shownAs} has state version ${JSON.stringify(value['version'])}, this program reads version ${stateVersion}`;
    return failure(problem('dir/state-version', message, { at: { file: shownAs } }));
  }
  const { draws, written, environment, bootableUntil } = value;
  const lastRuns = lastRunsIn(value['lastRuns']);
  if (!isTexts(draws) || !isTexts(written) || !isTexts(environment)) {
    return unreadable(shownAs, '`draws`, `written` and `environment` must map names to text');
  }
  if (
    bootableUntil !== undefined &&
    (typeof bootableUntil !== 'string' || Number.isNaN(Date.parse(bootableUntil)))
  ) {
    return unreadable(shownAs, '`bootableUntil` must be an RFC 3339 time');
  }
  return success({
    draws,
    written,
    environment,
    lastRuns,
    ...(bootableUntil !== undefined && { bootableUntil }),
  });
}

function unreadable(shownAs: string, reason: string): Result<never> {
  const message = `the state file ${shownAs} cannot be used: ${reason}`;
  return failure(problem('dir/state-unreadable', message, { at: { file: shownAs } }));
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is Record<string, string> {
  return isRecord(value) && Object.values(value).every((each) => typeof each === 'string');
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([left], [right]) => byCodeUnit(left, right)));
}
