import type { Span } from './yaml-tree.js';

/** Maps offsets of a text to line and column, and returns its lines. Lines end in LF or CRLF. */
export interface LineIndex {
  /** The range from `start` to `end`, cut at the end of its first line. */
  span(start: number, end: number): Span;
  /** Text of a line, numbered as in `span`, without its line break; undefined after the last. */
  line(number: number): string | undefined;
}

/** `firstLine` is the number of the first line, for a text that is part of a file. */
export function lineIndex(text: string, firstLine = 1): LineIndex {
  const starts = lineStarts(text);
  const line = (number: number): string | undefined => {
    const start = starts[number - firstLine];
    const end = starts[number - firstLine + 1];
    return start === undefined ? undefined : text.slice(start, end).replace(/\r?\n$/, '');
  };
  return {
    line,
    span: (start, end) => {
      const offset = Math.min(start, text.length);
      const index = lineIndexOf(starts, offset);
      const number = firstLine + index;
      const lineStart = starts[index] ?? 0;
      const lineEnd = lineStart + (line(number)?.length ?? 0);
      return {
        line: number,
        col: Math.min(offset, lineEnd) - lineStart + 1,
        length: Math.max(1, Math.min(end, lineEnd) - offset),
      };
    },
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** Binary search for the last line that starts at or before the offset, counted from 0. */
function lineIndexOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low;
}
