import type { Result } from '../../src/core/result.js';
import { problemsOf } from '../../src/core/result.js';
import { showProblem } from './show-problem.js';

/** The value of a successful result. Otherwise throws an error that lists the problems, one per line. */
export function expectOk<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(problemsOf(result).map(showProblem).join('\n'));
  return result.value;
}
