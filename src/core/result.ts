import { isError, type Problem } from './problem.js';

/** A value with warnings, or the problems that prevent it. */
export type Result<T> = Success<T> | Failure;

export interface Success<T> {
  readonly ok: true;
  readonly value: T;
  readonly warnings: readonly Problem[];
}

/** `problems` contains at least one error and may contain warnings. It is empty if another check has already reported the error. */
export interface Failure {
  readonly ok: false;
  readonly problems: readonly Problem[];
}

export function success<T>(value: T, warnings: readonly Problem[] = []): Success<T> {
  return { ok: true, value, warnings };
}

export function failure(...problems: readonly Problem[]): Failure {
  return { ok: false, problems };
}

/** Success if no problem is an error, else a failure with all problems. */
export function resultOf<T>(value: T, problems: readonly Problem[]): Result<T> {
  return problems.some(isError) ? failure(...problems) : success(value, problems);
}

/** The errors or warnings of a result, in order. */
export function problemsOf(result: Result<unknown>): readonly Problem[] {
  return result.ok ? result.warnings : result.problems;
}
