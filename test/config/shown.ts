import type { Problem } from '../../src/core/problem.js';

/**
 * A problem as the tables of rule cases write it: `<code> <line>:<the text at its place>: <message>`, then ` | <hint>`.
 * The text at the place is there so that a place that is off is seen.
 */
export function shown({ code, severity, message, at, hint }: Problem, text: string): string {
  const line = text.split('\n')[(at?.line ?? 0) - 1] ?? '';
  const marked = at?.col === undefined ? '' : line.slice(at.col - 1, at.col - 1 + (at.length ?? 1));
  const head = `${severity === 'warning' ? 'warning ' : ''}${code} ${String(at?.line)}:${marked.slice(0, 40)}`;
  return `${head}: ${message}${hint === undefined ? '' : ` | ${hint}`}`;
}
