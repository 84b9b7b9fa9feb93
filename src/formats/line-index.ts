import type { Span } from './yaml-tree.js';

/** Finds the line and column of an offset of a text, and what stands on a line. Lines end in LF or CRLF. */
export interface LineIndex {
  /** The stretch from `start` to `end`, cut at the end of its first line. */
  span(start: number, end: number): Span;
  /** The text of a line, counted from 1, without its line break; undefined after the last. */
  line(number: number): string | undefined;
}

export function lineIndex(text: string): LineIndex {
  const starts = lineStarts(text);
  const line = (number: number): string | undefined => {
    const start = starts[number - 1];
    return start === undefined ? undefined : text.slice(start, starts[number]).replace(/\r?\n$/, '');
  };
  return {
    line,
    span: (start, end) => {
      const offset = Math.min(start, text.length);
      const number = lineNumberOf(starts, offset);
      const lineStart = starts[number - 1] ?? 0;
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

/** Binary search: the last line that starts at or before the offset, counted from 1. */
function lineNumberOf(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}
