import { problem } from '../core/problem.js';
import { failure, success, type Result } from '../core/result.js';
import { reasonOf, systemErrorCode } from './system-error.js';

/** Writes, and turns system errors into a problem with this hint. Problems: dir/not-writable. */
export function attemptWrite(path: string, hint: string, write: () => void): Result<void> {
  try {
    write();
    return success(undefined);
  } catch (error) {
    return notWritable(path, hint, error);
  }
}

/** The problem of a system error; throws others. Problems: dir/not-writable. */
export function notWritable(path: string, hint: string, error: unknown): Result<never> {
  if (systemErrorCode(error) === undefined) throw error;
  return failure(problem('dir/not-writable', `cannot write ${path}: ${reasonOf(error)}`, { hint }));
}
