import { pickKeys } from '../core/map-record.js';
import type { Problem } from '../core/problem.js';
import type { LastRun, LastRuns } from '../disk/state/last-run.js';
import { haveWantedForm } from '../disk/state/sealed-outputs.js';
import { areUnmodified, type OutputChange } from '../disk/outputs.js';
import { recordOfRequests, type InputRecord } from '../disk/state/recorded-inputs.js';
import { inputFingerprint } from '../disk/state/run-record.js';
import type { StateStorage } from '../disk/state/state-storage.js';
import { isSealed } from '../disk/state/sealing.js';
import type { State, StoredState } from '../disk/state/state-file.js';
import type { Clock } from './effects/clock.js';
import type { Seal } from '../formats/age.js';
import type { Inputs } from '../graph/context.js';
import { isFirstBootAuthority } from '../pki/first-boot-keys.js';
import type { Facts } from './target.js';

/** State and inputs of a run. */
export interface PreparedRun {
  readonly state: State;
  /** Whether a state file exists that could not be read; `state` is then empty. */
  readonly isStateUnread: boolean;
  /** The directory's state file, if there is one. */
  readonly own: StoredState | undefined;
  /** How the next state file is encrypted; undefined for plain text. */
  readonly seal: Seal | undefined;
  /** Whether outputs that contain secrets are encrypted in the same way. */
  readonly encryptsOutputs: boolean;
  /** Which part of the state is stored in the directory. */
  readonly keeping: StateStorage;
  /** Name of the state in messages. */
  readonly source: string;
  /** Whether the state is a file. */
  readonly isFile: boolean;
  readonly clock: Clock;
  /** Environment variables that are inputs. */
  readonly given: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
}

/**
 * The last run of a target, if nothing has changed since: same build, inputs, generated values and outputs. A new run would give the
 * same bytes (a test does both).
 */
export function unchangedRun(
  { dir, target, program }: { readonly dir: string; readonly target: string; readonly program?: string },
  { state, own, seal, encryptsOutputs, clock, given, inputs }: PreparedRun,
): LastRun | undefined {
  const last = state.lastRuns[target];
  if (last === undefined || program === undefined || last.program !== program) return undefined;
  if (state.isAltered === true || state.mustResealOutputs === true) return undefined;
  if (own === undefined || !isSealed(own, seal)) return undefined;
  if (clock.generatedValues !== state.generatedValues || !isSameRecord(given, state.environment))
    return undefined;
  if (!haveWantedForm(last.outputs, { isSealed: encryptsOutputs, sealed: state.sealed ?? {} }))
    return undefined;
  const fingerprint = fingerprintOf(recordOfRequests(last.questions, inputs), state.generatedValues);
  return fingerprint === last.fingerprint && areUnmodified(dir, last.outputs, state.written)
    ? last
    : undefined;
}

/** Does not depend on values that `state prune` removes: a run without them changes nothing if all inputs are the same. */
function fingerprintOf(record: InputRecord, generatedValues: State['generatedValues']): string {
  return inputFingerprint(
    record,
    pickKeys(generatedValues, (label) => !isFirstBootAuthority(label)),
  );
}

function isSameRecord(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys({ ...left, ...right });
  return names.every((name) => left[name] === right[name]);
}

/** Changes in the directory, and facts for the user. */
export interface RunReport extends Facts {
  /** In the order of the target's roots. */
  readonly outputs: readonly OutputChange[];
  /** Plain contents of encrypted outputs, by their names without the suffix; undefined without encryption. */
  readonly plain?: ReadonlyMap<string, string | Uint8Array>;
}

/** The report of a run that changes nothing. */
export function reportOf({ outputs, embedded, liveImage, bootableFrom, bootableUntil }: LastRun): RunReport {
  return {
    outputs: outputs.map((output) => ({ ...output, change: 'unchanged' as const })),
    ...(embedded && { embedded }),
    ...(liveImage && { liveImage }),
    ...(bootableFrom !== undefined && { bootableFrom: new Date(bootableFrom) }),
    ...(bootableUntil !== undefined && { bootableUntil: new Date(bootableUntil) }),
  };
}

/** The record of a run by target; undefined if the build of the program is unknown. */
export function lastRunOf(
  { target, program }: { readonly target: string; readonly program?: string },
  {
    inputs,
    facts,
    warnings,
    generatedValues,
  }: {
    readonly inputs: InputRecord;
    readonly facts: Facts;
    readonly warnings: readonly Problem[];
    /** Those of the state after the run. */
    readonly generatedValues: State['generatedValues'];
  },
  changes: readonly OutputChange[],
): LastRuns {
  if (program === undefined) return {};
  const { bootableFrom, bootableUntil, embedded, liveImage } = facts;
  const outputs = changes.filter(({ change }) => change !== 'removed');
  return {
    [target]: {
      program,
      questions: Object.keys(inputs),
      fingerprint: fingerprintOf(inputs, generatedValues),
      outputs: outputs.map(({ path, bytes, mode }) => ({ path, bytes, mode })),
      warnings,
      ...(embedded && { embedded }),
      ...(liveImage && { liveImage }),
      ...(bootableFrom && { bootableFrom: bootableFrom.toISOString() }),
      ...(bootableUntil && { bootableUntil: bootableUntil.toISOString() }),
    },
  };
}
