import type { Fault } from './yaml-faults.js';

/** A changed line that makes a text valid, or moves its first error further down. */
export interface Repair {
  readonly text: string;
  /** Offsets of the faulty line without its indentation. */
  readonly from: number;
  readonly to: number;
  readonly fault: Fault;
}

/** Character offsets of the syntax errors of a text. */
export type ErrorOffsets = (text: string) => readonly number[];

/** Above this, the search would take longer than a reader waits. A config has some hundred lines. */
const maxLength = 20_000;

/**
 * Finds the single line whose change removes the first error of a text: its indentation, a space after a colon or dash, a colon or a
 * bracket. Undefined if no change helps.
 */
export function findRepair(
  text: string,
  [from, to]: readonly [number, number],
  errorsIn: ErrorOffsets,
): Repair | undefined {
  if (text.length > maxLength) return undefined;
  const lines = text.split('\n');
  const [first, last] = [from, to].map((at) => text.slice(0, at).split('\n').length - 1);
  const candidates = nearLines(lines, first ?? 0, last ?? 0);
  const found = candidates.flatMap((index) =>
    changesOf(lines, index).map(({ line, fault, rank }) => {
      const changed = lines.with(index, line).join('\n');
      const next = Math.min(...errorsIn(changed));
      return { index, fault, rank, text: changed, next: next + text.length - changed.length };
    }),
  );
  const [best] = found
    .filter(({ next }) => next === Infinity || next > startOf(lines, (last ?? 0) + 1))
    .sort((left, right) => right.next - left.next || right.rank - left.rank || right.index - left.index);
  if (best === undefined) return undefined;
  // A tab is the fault itself.
  const indent = indentOf(lines[best.index] ?? '');
  const start = startOf(lines, best.index) + (indent.includes('\t') ? 0 : indent.length);
  return { text: best.text, from: start, to: startOf(lines, best.index + 1) - 1, fault: best.fault };
}

/** Offset of the start of a line. */
function startOf(lines: readonly string[], index: number): number {
  return lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
}

/** The lines around an error, which is often reported below the line that causes it. */
function nearLines(lines: readonly string[], first: number, last: number): readonly number[] {
  const filled = lines.flatMap((line, index) => (isContent(line) ? [index] : []));
  const before = filled.filter((index) => index < first).slice(-2);
  const within = filled.filter((index) => index >= first && index <= last).slice(0, 4);
  return [...new Set([...before, ...within, ...filled.filter((index) => index > last).slice(0, 1)])];
}

function isContent(line: string): boolean {
  return /^\s*[^\s#]/.test(line);
}

function indentOf(line: string): string {
  return /^\s*/.exec(line)?.[0] ?? '';
}

interface Change {
  readonly line: string;
  readonly fault: Fault;
  /** The change with the higher rank is more probable. */
  readonly rank: number;
}

function changesOf(lines: readonly string[], index: number): readonly Change[] {
  const line = lines[index] ?? '';
  return [...spacings(line), ...brackets(line), ...indentations(lines, index)];
}

/** The rank of repairs that hardly any correct line needs, above those of indentations. */
const certain = 3;

function spacings(line: string): readonly Change[] {
  const [, before = '', key = '', rest = ''] = /^(\s*(?:- +)*)([\w./-]+)(.*)$/.exec(line) ?? [];
  if (/^-\S/.test(line.trim()) && !/^-{2,}/.test(line.trim()))
    return [{ line: line.replace('-', '- '), fault: noSpace('-'), rank: certain }];
  if (/^:\S/.test(rest))
    return [{ line: `${before}${key}: ${rest.slice(1)}`, fault: noSpace(':'), rank: certain }];
  return key !== '' && /^(?:$| +[^:\s#])/.test(rest) && !rest.includes(': ')
    ? [{ line: `${before}${key}:${rest}`, fault: noColon, rank: certain }]
    : /^ +[{[]/.test(rest)
      ? [{ line: `${before}${key}:${rest}`, fault: noColon, rank: certain }]
      : [];
}

function noSpace(mark: ':' | '-'): Fault {
  return {
    kind: 'syntax',
    message: `a space is missing after "${mark}"`,
    hint: mark === ':' ? 'write "key: value"' : 'write "- value"',
  };
}

const noColon: Fault = {
  kind: 'syntax',
  message: 'this line is no key with a value',
  hint: 'write "key: value" with a space after the colon, or start a comment with "#"',
};

const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };

/** Adds the brackets that a line opens or closes alone. */
function brackets(line: string): readonly Change[] {
  const open: string[] = [];
  let unopened = '';
  for (const [mark] of line.replace(/'[^']*'|"(?:[^"\\]|\\.)*"/g, '').matchAll(/[[\]{}]/g)) {
    const closer = closers[mark];
    if (closer !== undefined) open.unshift(closer);
    else if (open[0] === mark) open.shift();
    else unopened = mark === '}' ? `{${unopened}` : `[${unopened}`;
  }
  if (open.length > 0)
    return [{ line: `${line}${open.join('')}`, fault: openBracket(open.join('')), rank: certain }];
  if (unopened === '') return [];
  const fault: Fault = {
    kind: 'syntax',
    message: 'a bracket of this line is not opened',
    hint: `open it with "${unopened}", or remove the closing bracket`,
  };
  return [{ line: line.replace(/(: |- )\s*/, `$1${unopened}`), fault, rank: certain }];
}

function openBracket(missing: string): Fault {
  return {
    kind: 'syntax',
    message: 'a bracket of this line is not closed',
    hint: `close it with "${missing}"`,
  };
}

/** The indentations of the lines around a line: the nearest first, then those below a key without value, then the most frequent ones. */
function indentations(lines: readonly string[], index: number): readonly Change[] {
  const line = lines[index] ?? '';
  const own = indentOf(line);
  const near = lines.slice(Math.max(0, index - 12), index + 13).filter(isContent);
  const widths = new Set(near.flatMap((each) => [indentOf(each).length, indentOf(each).length + 2]));
  const count = (width: number): number =>
    lines.filter((each) => isContent(each) && indentOf(each).length === width).length;
  const above = lines.slice(0, index).findLast(isContent) ?? '';
  const parent = /^[^#]*:\s*$/.test(above) ? indentOf(above).length : Infinity;
  const isBelow = (width: number): boolean =>
    /^- /.test(line.trimStart()) ? width >= parent : width > parent;
  return [...widths]
    .filter((width) => width !== own.length || own.includes('\t'))
    .map((width) => ({
      line: `${' '.repeat(width)}${line.trimStart()}`,
      fault: indentFault(own, width),
      rank:
        (isBelow(width) && !isBelow(own.length) ? 1 : 0) +
        (count(width) - count(own.length)) / (lines.length + 1) -
        0.3 * Math.abs(width - own.length),
    }));
}

function indentFault(own: string, width: number): Fault {
  if (own.includes('\t'))
    return { kind: 'syntax', message: 'tabs are not allowed as indentation', hint: 'use spaces' };
  return {
    kind: 'syntax',
    message: `this line is indented ${own.length > width ? 'more' : 'less'} than its siblings`,
    hint: `start it in column ${width + 1}`,
  };
}
