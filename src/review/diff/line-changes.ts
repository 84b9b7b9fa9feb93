import { structuredPatch } from 'diff';

import type { Hunk } from './difference.js';

/** Lines of context. */
const context = 2;

/** Beyond this number of edits, the whole text is shown as changed. The diff algorithm needs quadratic time. */
const mostEdits = 1000;

/** Returns the hunks that differ between two texts. */
export function lineChanges(before: string, after: string): readonly Hunk[] {
  // If neither text ends in a newline, as in field values, do not report the missing newline.
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

/** Returns a hunk for a text that exists on one side only. */
export function wholeText(text: string, sign: '-' | '+'): readonly Hunk[] {
  return text === '' ? [] : [{ beforeLine: 1, afterLine: 1, lines: signed(text, sign) }];
}

function wholeChange(before: string, after: string): Hunk {
  return { beforeLine: 1, afterLine: 1, lines: [...signed(before, '-'), ...signed(after, '+')] };
}

function signed(text: string, sign: string): readonly string[] {
  return linesIn(text).map((line) => `${sign}${line}`);
}

/** Splits a text into lines, with or without a final newline. */
export function linesIn(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}
