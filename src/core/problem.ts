import type { ProblemCode } from './problem-codes/catalog.js';
import type { Severity } from './problem-codes/entry.js';
import { warningCodes } from './problem-codes/warning-codes.generated.js';

export type { ProblemCode };

/** A position in the user's input. `line` and `col` count from 1; `length` is in characters of that line. */
export interface Place {
  /** The file name as given by the user, relative to `--dir`. */
  readonly file: string;
  /** The field's path, such as `networking.machineNetwork[0].cidr`. */
  readonly path?: string;
  readonly line?: number;
  readonly col?: number;
  readonly length?: number;
}

/** A fault in an input, an output or the directory. Never contains a secret's value. */
export interface Problem {
  readonly code: ProblemCode;
  readonly severity: Severity;
  /** One lower-case sentence without a full stop: the fault and the expected value. */
  readonly message: string;
  readonly at?: Place;
  /** The line of the template that uses the value at `at`, if that value comes from a table. */
  readonly from?: Place;
  /** Position of another value that contradicts the one at `at`. */
  readonly other?: Place;
  /** The text to type or the value to change. */
  readonly hint?: string;
  /** The asset that found the problem; set by the graph engine. */
  readonly asset?: string;
}

export interface ProblemDetails {
  readonly at?: Place | undefined;
  readonly other?: Place | undefined;
  readonly hint?: string | undefined;
}

/** A separate list of codes, so that only `explain` and similar commands load the long texts of the catalog. */
const warnings: ReadonlySet<ProblemCode> = new Set(warningCodes);

/** Creates a problem with the severity that the catalog gives its code. */
export function problem(code: ProblemCode, message: string, details: ProblemDetails = {}): Problem {
  return {
    code,
    severity: warnings.has(code) ? 'warning' : 'error',
    message,
    ...(details.at && { at: details.at }),
    ...(details.other && { other: details.other }),
    ...(details.hint !== undefined && { hint: details.hint }),
  };
}

export function isError(candidate: Problem): boolean {
  return candidate.severity === 'error';
}
