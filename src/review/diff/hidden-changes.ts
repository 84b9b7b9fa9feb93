import { readable } from '../readable.js';
import type { Detail } from './difference.js';
import { deepestAt, fieldChanges, shownPath, type FieldChange } from './field-changes.js';
import type { Item } from './item.js';
import { lineChanges } from './line-changes.js';

/**
 * Where two sides differ in what is not shown. It says that they do and where, and nothing that hangs on what differs: not even a
 * hash, by which a short secret could be guessed.
 */
export function hiddenDetails(before: Item, after: Item, shown: readonly FieldChange[]): readonly Detail[] {
  if (before.sourceValue !== undefined && after.sourceValue !== undefined)
    return hiddenFields(before, after, shown);
  if (before.source === undefined || after.source === undefined || before.source === after.source) return [];
  const isHidden = before.text === after.text || hidesLines(before.source, after.source);
  return isHidden ? [{ what: 'contents', hidden: true }] : [];
}

/** Fields whose values differ and look the same; a path is told as far as it can be seen. */
function hiddenFields(before: Item, after: Item, shown: readonly FieldChange[]): readonly Detail[] {
  const told = new Set(shown.map(({ path }) => shownPath(path)));
  const paths = fieldChanges(before.sourceValue, after.sourceValue).map(({ path }) => {
    const [earlier, later] = [before, after].map(({ value }) => deepestAt(value, path));
    const [long = [], short = []] = [earlier ?? [], later ?? []].toSorted((a, b) => b.length - a.length);
    return { seen: shownPath(long), isTold: [long, short].some((each) => told.has(shownPath(each))) };
  });
  const hidden = paths.filter(({ isTold, seen }) => !isTold && !told.has(seen)).map(({ seen }) => seen);
  return [...new Set(hidden)].map((path) => ({ what: path === '' ? 'contents' : path, hidden: true }));
}

/** Whether a line that went looks like one that came and is another: they differ in what is not shown. */
function hidesLines(before: string, after: string): boolean {
  const lines = lineChanges(before, after).flatMap((hunk) => hunk.lines);
  const linesOf = (sign: string): ReadonlySet<string> =>
    new Set(lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(1)));
  const [gone, come] = [linesOf('-'), linesOf('+')];
  const shownAs = (some: ReadonlySet<string>, others: ReadonlySet<string>): readonly string[] =>
    [...some].filter((line) => !others.has(line)).map((line) => readable(line));
  const looks = new Set(shownAs(gone, come));
  return shownAs(come, gone).some((line) => looks.has(line));
}
