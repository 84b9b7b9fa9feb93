import { isError, type Problem } from './problem.js';

/** A value with the warnings met on the way, or the problems that forbid one. */
export type Result<T> = Success<T> | Failure;

/** A value that may be used, with what the user should know all the same. */
export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly warnings: readonly Problem[];
}

/**
 * `problems` holds at least one error, or nothing where another check has said it already; warnings may stand among them.
 */
export interface Failure {
  readonly ok: false;
  readonly problems: readonly Problem[];
}

/** A value, with warnings. */
export function success<T>(value: T, warnings: readonly Problem[] = []): Success<T> {
  return { ok: true, value, warnings };
}

/** Problems in the place of a value. */
export function failure(...problems: readonly Problem[]): Failure {
  return { ok: false, problems };
}

/** The value when no problem is an error; else all of them. */
export function resultOf<T>(value: T, problems: readonly Problem[]): Result<T> {
  return problems.some(isError) ? failure(...problems) : success(value, problems);
}

/** Errors or warnings of a result, in order. */
export function problemsOf(result: Result<unknown>): readonly Problem[] {
  return result.ok ? result.warnings : result.problems;
}
