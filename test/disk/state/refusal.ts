import type { Problem, ProblemCode } from '../../../src/core/problem.js';
import { failure, type Failure } from '../../../src/core/result.js';

/** An error as it is told, with its place and hint where it has any. */
export function fault(
  code: ProblemCode,
  message: string,
  details: Pick<Problem, 'at' | 'hint'> = {},
): Problem {
  return { code, severity: 'error', message, ...details };
}

/** What is refused with that error alone. */
export function refusal(...error: Parameters<typeof fault>): Failure {
  return failure(fault(...error));
}

/** What is refused because a file that the command line names is not there. */
export function missing(option: string, path: string): Failure {
  return refusal('usage/unreadable-file', `${option} ${path} cannot be read: it does not exist`);
}
