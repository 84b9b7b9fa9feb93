import type { ProblemCode } from './problem-codes/catalog.js';
import type { Severity } from './problem-codes/entry.js';
import { warningCodes } from './problem-codes/warning-codes.generated.js';

export type { ProblemCode };

/** Where in the user's input a problem is. `line` and `col` count from 1; `length` is in characters of that line. */
export interface Place {
  /** The file as the user names it, relative to `--dir`. */
  readonly file: string;
  /** The field inside the file, such as `networking.machineNetwork[0].cidr`. */
  readonly path?: string;
  readonly line?: number;
  readonly col?: number;
  readonly length?: number;
}

/** One thing that is wrong with an input, an output or the place they live in. Never holds a secret's value. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** One lower-case sentence without a full stop: what is wrong and what is expected. */
  readonly message: string;
  readonly at?: Place;
  /** Where the value is used that stands at `at`: the line of a template, for a value of a table. */
  readonly from?: Place;
  /** What to type or change. */
  readonly hint?: string;
  /** The asset that found the problem; filled in by the graph engine. */
  readonly asset?: string;
}

/** What not every problem has. */
export interface ProblemDetails {
  readonly at?: Place | undefined;
  readonly hint?: string | undefined;
}

/** The catalog itself is long texts that only `explain` and its like show. */
const warnings: ReadonlySet<ProblemCode> = new Set(warningCodes);

/** A problem whose severity is the one its code is documented with. */
export function problem(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  return {
    code,
    severity: warnings.has(code) ? 'warning' : 'error',
    message,
    ...(details.at && { at: details.at }),
    ...(details.hint !== undefined && { hint: details.hint }),
  };
}

/** Whether the problem stops a run. */
export function isError(candidate: Problem): boolean {
  return candidate.severity === 'error';
}
