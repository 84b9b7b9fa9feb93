import { problem, type ProblemCode } from '../../../core/problem.js';
import type { Goal } from '../wait.js';

/** What to say when a goal was not reached in time, of which a unit on the node knows more than the API. */
export function overdueOnNode(code: ProblemCode, unit: string): Goal['overdue'] {
  const hint = `look at the console of the node and at \`journalctl --unit=${unit}\` on it, then wait again`;
  return (message) => Promise.resolve([problem(code, `not in time: ${message}`, { hint })]);
}
