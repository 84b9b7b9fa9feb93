import { problem, type Problem } from '../core/problem.js';

/** Two entries of a config have the same path or name. */
export function conflict(message: string): Problem {
  return problem('ignition/conflict', message);
}

/** An entry violates the specification or a rule of this program. */
export function invalid(message: string): Problem {
  return problem('ignition/invalid', message);
}

/** Values that occur more than once, without duplicates, in order. */
export function duplicatesIn(values: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const again = new Set<string>();
  for (const value of values) (seen.has(value) ? again : seen).add(value);
  return [...again];
}
