import type { Problem } from '../core/problem.js';
import type { InputRecord } from './recorded-inputs.js';

/**
 * What the last run of a target saw and said, so that the next one can tell that there is nothing to do. It adds nothing
 * to what the outputs are: without it they are made again, to the same bytes.
 */
export interface LastRun {
  /** Which build of the program it was. */
  readonly program: string;
  readonly inputs: InputRecord;
  readonly outputs: readonly { readonly path: string; readonly bytes: number; readonly mode: number }[];
  readonly warnings: readonly Problem[];
  readonly embedded?: { readonly bytes: number; readonly isExact: boolean; readonly limitBytes: number };
  /** RFC 3339. */
  readonly bootableUntil?: string;
}

export type LastRuns = Readonly<Record<string, LastRun>>;

/** The records of a state file; those of another form count as none. */
export function lastRunsIn(value: unknown): LastRuns {
  if (typeof value !== 'object' || value === null) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, LastRun] => isLastRun(entry[1])),
  );
}

function isLastRun(value: unknown): value is LastRun {
  if (typeof value !== 'object' || value === null) return false;
  return (
    'program' in value &&
    typeof value.program === 'string' &&
    'inputs' in value &&
    typeof value.inputs === 'object' &&
    value.inputs !== null &&
    'outputs' in value &&
    Array.isArray(value.outputs) &&
    'warnings' in value &&
    Array.isArray(value.warnings)
  );
}
