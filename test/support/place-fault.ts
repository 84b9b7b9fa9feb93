import type { Problem } from '../../src/core/problem.js';

/** Explains why a problem's position does not exist in the text. Undefined if it exists. */
export function placeFault({ at, code }: Problem, text: string): string | undefined {
  if (at?.line === undefined) return undefined;
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const line = lines[at.line - 1];
  const { col = 1, length = 1 } = at;
  if (line === undefined) return `${code}: there is no line ${at.line}`;
  if (col < 1 || length < 1 || col - 1 + length > Math.max(line.length, col))
    return `${code}: ${at.line}:${col}+${length} is not within "${line}"`;
  return col > line.length + 1 ? `${code}: column ${col} is not within "${line}"` : undefined;
}
