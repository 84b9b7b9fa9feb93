import { printableLine, type PrintableFields } from './excerpt.js';
import { printable } from './printable.js';
import type { Place, Problem } from './problem.js';

/** The file that a problem refers to. */
export interface Source {
  readonly text: string;
  readonly fields: PrintableFields;
}

/** Formatting of the parts of a problem, such as terminal colors. */
export interface Style {
  readonly error: (text: string) => string;
  readonly warning: (text: string) => string;
  readonly place: (text: string) => string;
  readonly caret: (text: string) => string;
  readonly hint: (text: string) => string;
}

const asIs = (text: string): string => text;

export const plainStyle: Style = { error: asIs, warning: asIs, place: asIs, caret: asIs, hint: asIs };

/**
 * Renders a problem for a terminal: headline, place, the line with a caret, hint. Masks text that may be a secret.
 * Without `source`, the line is left out.
 */
export function renderProblem(found: Problem, source?: Source, style = plainStyle): string {
  const headline = `${style[found.severity](`${found.severity}[${found.code}]`)}: ${oneLine(found.message)}`;
  const place = found.at === undefined ? [] : [`  ${style.place('-->')} ${showPlace(found.at)}`];
  const excerpt = found.at === undefined || source === undefined ? [] : excerptOf(found.at, source, style);
  const from = found.from === undefined ? [] : [`   = ${style.hint('used at')}: ${showPlace(found.from)}`];
  const other = found.other === undefined ? [] : [`   = ${style.hint('see')}: ${showPlace(found.other)}`];
  const hint = found.hint === undefined ? [] : [`   = ${style.hint('hint')}: ${oneLine(found.hint)}`];
  return [headline, ...place, ...excerpt, ...from, ...other, ...hint].join('\n');
}

function showPlace({ file, path, line, col }: Place): string {
  const position =
    line === undefined ? file : col === undefined ? `${file}:${line}` : `${file}:${line}:${col}`;
  return oneLine(path === undefined || path === '' ? position : `${position} (${path})`);
}

/** Longer lines are cut to a window around the place. */
const windowWidth = 96;

function excerptOf(
  { line, col, length }: Place,
  { text: source, fields }: Source,
  style: Style,
): readonly string[] {
  if (line === undefined) return [];
  const lines = source.split(/\r\n|\r|\n/);
  if (lines[line - 1] === undefined) return [];
  const gutter = ' '.repeat(String(line).length);
  const excerpt = printableLine(lines, line, fields);
  if (excerpt === undefined) return [`${gutter} |`, `${line} | (not shown: may contain a secret)`];
  const { text, isWhole } = excerpt;
  const start = col === undefined || col <= windowWidth - 16 ? 0 : col - 32;
  const shown = printableSource(text.slice(start, start + windowWidth));
  const isCaretShown = col !== undefined && (isWhole || col < text.length);
  if (!isCaretShown) return [`${gutter} |`, `${line} | ${shown}`];
  const before = ' '.repeat(Math.max(0, col - 1 - start));
  const width = Math.max(1, Math.min(length ?? 1, shown.length - before.length));
  return [`${gutter} |`, `${line} | ${shown}`, `${gutter} | ${before}${style.caret('^'.repeat(width))}`];
}

/** Line ends within a message stay. */
function oneLine(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

/** Each tab stays one character, so that the caret is in the right column. */
function printableSource(text: string): string {
  return printable(text.replace(/\t/g, ' '));
}
