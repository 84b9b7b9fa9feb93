import { problem } from '../../core/problem.js';
import { quoted } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { parseDuration } from '../../formats/duration.js';

/** Parses `--timeout` into milliseconds. Problems: usage/unknown-argument. */
export function waitTimeout(timeout: string): Result<number> {
  const seconds = parseDuration(timeout);
  if (seconds !== undefined) return success(seconds * 1000);
  const message = `--timeout is ${quoted(timeout)}, expected a duration`;
  return failure(
    problem('usage/unknown-argument', message, { hint: 'use larger units first, such as 90m or 1h30m' }),
  );
}
