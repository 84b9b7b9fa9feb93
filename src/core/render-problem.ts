import { shownLine, type ShownFields } from './excerpt.js';
import type { Place, Problem } from './problem.js';

/** The file that a problem points into. */
export interface Source {
  readonly text: string;
  readonly fields: ShownFields;
}

/**
 * A problem as text for people: headline, place, the line with a caret, hint. What may be a secret is not shown.
 * `source` is given when the file at fault could be read.
 */
export function renderProblem(found: Problem, source?: Source): string {
  const headline = `${found.severity}[${found.code}]: ${found.message}`;
  const place = found.at === undefined ? [] : [`  --> ${showPlace(found.at)}`];
  const excerpt = found.at === undefined || source === undefined ? [] : excerptOf(found.at, source);
  const hint = found.hint === undefined ? [] : [`   = hint: ${found.hint}`];
  return [headline, ...place, ...excerpt, ...hint].join('\n');
}

function showPlace({ file, path, line, col }: Place): string {
  const position =
    line === undefined ? file : col === undefined ? `${file}:${line}` : `${file}:${line}:${col}`;
  return path === undefined || path === '' ? position : `${position} (${path})`;
}

/** Long lines are shown as a window around the place. */
const windowWidth = 96;

function excerptOf({ line, col, length }: Place, { text: source, fields }: Source): readonly string[] {
  if (line === undefined) return [];
  const lines = source.split(/\r\n|\r|\n/);
  if (lines[line - 1] === undefined) return [];
  const gutter = ' '.repeat(String(line).length);
  const excerpt = shownLine(lines, line, fields);
  if (excerpt === undefined) return [`${gutter} |`, `${line} | (not shown: this line may hold a secret)`];
  const { text, isWhole } = excerpt;
  const start = col === undefined || col <= windowWidth - 16 ? 0 : col - 32;
  const shown = printable(text.slice(start, start + windowWidth));
  const isCaretShown = col !== undefined && (isWhole || col < text.length);
  if (!isCaretShown) return [`${gutter} |`, `${line} | ${shown}`];
  const before = ' '.repeat(Math.max(0, col - 1 - start));
  const width = Math.max(1, Math.min(length ?? 1, shown.length - before.length));
  return [`${gutter} |`, `${line} | ${shown}`, `${gutter} | ${before}${'^'.repeat(width)}`];
}

/** Tabs and control characters as one visible character each, so that the caret stands under its place. */
function printable(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\u0000-\u001f\u007f-\u009f]/g, '\u00b7');
}
