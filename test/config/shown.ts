import type { Problem } from '../../src/core/problem.js';

/**
 * A problem as in the tables of rule cases: `<code> <line>:<text at that position>: <message>`, then ` | <hint>`. The text makes a
 * wrong position visible.
 */
export function shown({ code, severity, message, at, hint }: Problem, text: string): string {
  const line = text.split('\n')[(at?.line ?? 0) - 1] ?? '';
  const marked = at?.col === undefined ? '' : line.slice(at.col - 1, at.col - 1 + (at.length ?? 1));
  const head = `${severity === 'warning' ? 'warning ' : ''}${code} ${String(at?.line)}:${marked.slice(0, 40)}`;
  return `${head}: ${message}${hint === undefined ? '' : ` | ${hint}`}`;
}
