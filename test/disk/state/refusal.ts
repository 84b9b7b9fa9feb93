import type { Problem, ProblemCode } from '../../../src/core/problem.js';
import { failure, type Failure } from '../../../src/core/result.js';
import { unreadableFailure } from '../../support/unreadable-file.js';

export function fault(
  code: ProblemCode,
  message: string,
  details: Pick<Problem, 'at' | 'hint'> = {},
): Problem {
  return { code, severity: 'error', message, ...details };
}

export function refusal(...error: Parameters<typeof fault>): Failure {
  return failure(fault(...error));
}

/** The failure of an option whose file does not exist. */
export function missing(option: string, path: string): Failure {
  return unreadableFailure(option, path, 'it does not exist');
}
