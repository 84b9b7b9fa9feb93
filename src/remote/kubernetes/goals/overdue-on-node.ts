import { problem, type ProblemCode } from '../../../core/problem.js';
import type { Goal } from '../wait.js';

/** Problem for a goal that timed out. Points to a systemd unit on the node, whose log has more details than the API. */
export function overdueOnNode(code: ProblemCode, unit: string): Goal['overdue'] {
  const hint = `check the console of the node and \`journalctl --unit=${unit}\` on it, then run the command again`;
  return (message) => Promise.resolve([problem(code, `timed out: ${message}`, { hint })]);
}
