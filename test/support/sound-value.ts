import type { Result } from '../../src/core/result.js';
import { problemsOf } from '../../src/core/result.js';
import { showProblem } from './show-problem.js';

/** What a result that must be sound holds; the error otherwise names its problems, one a line. */
export function soundValue<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(problemsOf(result).map(showProblem).join('\n'));
  return result.value;
}
