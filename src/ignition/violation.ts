import { problem, type Problem } from '../core/problem.js';

/** Two entries of a config claim one place. */
export function conflict(message: string): Problem {
  return problem('ignition/conflict', message);
}

/** An entry breaks a rule of the specification, or of ours. */
export function invalid(message: string): Problem {
  return problem('ignition/invalid', message);
}

/** Values that occur more than once, each once, in order. */
export function repeated(values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const value of values) (seen.has(value) ? again : seen).add(value);
  return [...again];
}
