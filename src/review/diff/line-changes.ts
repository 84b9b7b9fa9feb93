import { structuredPatch } from 'diff';

import type { Hunk } from './difference.js';

/** Lines that are shown around those that differ. */
const context = 2;

/** Two texts that differ in more lines than that have nothing in common, as far as a reader is concerned; finding out takes the square. */
const mostEdits = 1000;

/** The lines that differ between two texts. */
export function lineChanges(before: string, after: string): readonly Hunk[] {
  // Where neither ends its last line, as values of fields do not, that is not worth a word.
  const end = before.endsWith('\n') || after.endsWith('\n') ? '' : '\n';
  const found = structuredPatch('', '', `${before}${end}`, `${after}${end}`, '', '', {
    context,
    maxEditLength: mostEdits,
  });
  if (found === undefined) return [wholeChange(before, after)];
  return found.hunks.map(({ oldStart, newStart, lines }) => ({
    beforeLine: oldStart,
    afterLine: newStart,
    lines,
  }));
}

/** A text that is there on one side only. */
export function wholeText(text: string, sign: '-' | '+'): readonly Hunk[] {
  return text === '' ? [] : [{ beforeLine: 1, afterLine: 1, lines: signed(text, sign) }];
}

function wholeChange(before: string, after: string): Hunk {
  return { beforeLine: 1, afterLine: 1, lines: [...signed(before, '-'), ...signed(after, '+')] };
}

function signed(text: string, sign: string): readonly string[] {
  return linesIn(text).map((line) => `${sign}${line}`);
}

/** The lines of a text, whether or not its last one is ended. */
export function linesIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
