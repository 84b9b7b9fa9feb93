import type { LastRun } from './disk/last-run.js';
import { areAsWritten } from './disk/outputs.js';
import { isUnchanged } from './disk/recorded-inputs.js';
import type { State } from './disk/state-file.js';
import type { Clock } from './effects.js';
import type { Inputs } from './graph/context.js';

/** What a run goes on from. */
export interface Start {
  readonly state: State;
  readonly clock: Clock;
  /** Environment variables that are inputs. */
  readonly given: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
}

/**
 * The last run of a target, when nothing has changed since: same build, same inputs, same draws, outputs as written.
 * Making them again would give the same bytes (a test does both), only later.
 */
export function lastIfUnchanged(
  { dir, target, program }: { readonly dir: string; readonly target: string; readonly program?: string },
  { state, clock, given, inputs }: Start,
): LastRun | undefined {
  const last = state.lastRuns[target];
  if (last === undefined || program === undefined || last.program !== program) return undefined;
  if (clock.draws !== state.draws || !isSameRecord(given, state.environment)) return undefined;
  return isUnchanged(last.inputs, inputs) && areAsWritten(dir, last.outputs, state.written)
    ? last
    : undefined;
}

function isSameRecord(
  left: Readonly<Record<string, string>>,
  right: Readonly<Record<string, string>>,
): boolean {
  const names = Object.keys({ ...left, ...right });
  return names.every((name) => left[name] === right[name]);
}
