import type { Fault } from './yaml-faults.js';

/** A changed line that makes a text valid, or moves its first error further down. */
export interface Repair {
  /** Whether the indentation of the line is the fault. */
  readonly isIndentation: boolean;
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
 * bracket. Searches the top-level fields around the error, so that long texts take no longer. Undefined if no change helps.
 */
export function findRepair(
  text: string,
  [from, to]: readonly [number, number],
  errorsIn: ErrorOffsets,
): Repair | undefined {
  const [start, end] = fieldsAround(text, from, to);
  if (end - start > maxLength) return undefined;
  const found = repairIn(text.slice(start, end), [from - start, to - start], errorsIn);
  if (found === undefined) return undefined;
  const changed = `${text.slice(0, start)}${found.text}${text.slice(end)}`;
  const repair = { ...found, text: changed, from: found.from + start, to: found.to + start };
  const next =
    errorsIn(changed).reduce((one, other) => Math.min(one, other), Infinity) + text.length - changed.length;
  return next > repair.to && next > from ? repair : undefined;
}

/** The number of top-level fields before and after that of an error. */
const fieldsBefore = 2;
const fieldsAfter = 3;

/** Offsets of the lines from some top-level fields before an error to some after it. */
function fieldsAround(text: string, from: number, to: number): readonly [number, number] {
  const near = text.slice(Math.max(0, from - maxLength), from);
  const before = [...near.matchAll(/^[\w'"].*$/gm)].map(({ index }) => from - near.length + index);
  const after = [...text.slice(to, to + maxLength).matchAll(/\n(?=[\w'"])/g)].map(
    ({ index }) => to + index + 1,
  );
  const isWhole = from <= maxLength && before.length <= fieldsBefore;
  const start = isWhole ? 0 : (before.at(-1 - fieldsBefore) ?? before[0] ?? 0);
  return [start, after[fieldsAfter] ?? text.length];
}

function repairIn(
  text: string,
  [from, to]: readonly [number, number],
  errorsIn: ErrorOffsets,
): Repair | undefined {
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
  return {
    text: best.text,
    from: start,
    to: startOf(lines, best.index + 1) - 1,
    fault: best.fault,
    isIndentation: /\bindented\b/.test(best.fault.message),
  };
}

/** Finds a `---` or `...` whose removal makes a text valid: it ends the document in the middle of a field. */
export function strayMarker(text: string, before: number, errorsIn: ErrorOffsets): Repair | undefined {
  const markers = [...text.slice(0, before).matchAll(/^(?:---|\.\.\.)(?=\s*$)/gm)];
  const at = markers.at(-1)?.index;
  if (at === undefined || !text.slice(0, at).split('\n').some(isContent)) return undefined;
  const changed = `${text.slice(0, at)}#${text.slice(at + 1)}`;
  return errorsIn(changed).length > 0
    ? undefined
    : { text: changed, from: at, to: at + 3, fault: markerFault, isIndentation: false };
}

const markerFault: Fault = {
  kind: 'syntax',
  message: 'this line ends the document, and the next one continues a field',
  hint: 'remove it',
};

/** Offset of the start of a line. */
function startOf(lines: readonly string[], index: number): number {
  return lines.slice(0, index).reduce((sum, line) => sum + line.length + 1, 0);
}

/** The lines around an error, which is often reported below the line that causes it. */
function nearLines(lines: readonly string[], first: number, last: number): readonly number[] {
  const filled = lines.flatMap((line, index) => (isContent(line) ? [index] : []));
  const before = filled.filter((index) => index < first).slice(-2);
  const within = filled.filter((index) => index >= first && index <= last).slice(0, 4);
  return [
    ...new Set([
      ...before,
      ...parentsOf(lines, first),
      ...filled.filter((index) => index <= last && hasSpecialSpaces(lines[index] ?? '')),
      ...within,
      ...filled.filter((index) => index > last).slice(0, 1),
    ]),
  ];
}

/** The lines above that a line belongs to by its indentation, at most three. */
function parentsOf(lines: readonly string[], index: number): readonly number[] {
  const parents: number[] = [];
  let width = indentOf(lines[index] ?? '').length;
  for (let above = index - 1; above >= 0 && parents.length < 3; above -= 1) {
    const line = lines[above] ?? '';
    if (!isContent(line) || indentOf(line).length >= width) continue;
    width = indentOf(line).length;
    parents.push(above);
  }
  return parents;
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
  return [...specialSpaces(line), ...spacings(line), ...brackets(line), ...indentations(lines, index)];
}

/** The rank of repairs that hardly any correct line needs, above those of other indentations than tabs. */
const certain = 3;

/** Spaces at the start of a line that are none in YAML, as pages and word processors write them. */
function specialSpaces(line: string): readonly Change[] {
  if (!hasSpecialSpaces(line)) return [];
  const [start = ''] = /^[\s-]*/.exec(line) ?? [];
  const fault: Fault = {
    kind: 'syntax',
    message: 'this line starts with no-break spaces',
    hint: 'replace them by normal spaces',
  };
  return [{ line: start.replace(/[^\t -]/g, ' ') + line.slice(start.length), fault, rank: certain + 1 }];
}

function hasSpecialSpaces(line: string): boolean {
  return /^[\t -]*[^\S\t\r ]/.test(line);
}

function spacings(line: string): readonly Change[] {
  const [, before = '', key = '', rest = ''] = /^(\s*(?:- +)*)([\w./-]+)(.*)$/.exec(line) ?? [];
  if (/^-\S/.test(line.trim()) && !/^-{2,}/.test(line.trim()))
    return [{ line: line.replace('-', '- '), fault: noSpace('-'), rank: certain }];
  if (/^:\S/.test(rest))
    return [{ line: `${before}${key}: ${rest.slice(1)}`, fault: noSpace(':'), rank: certain }];
  return key !== '' && /^(?:$|[;=]| +[^:\s#])/.test(rest) && !rest.includes(': ')
    ? [
        { line: `${before}${key}:${rest.replace(/^ ?[;=]/, '')}`, fault: noColon, rank: certain },
        // A single word, such as a comment without "#".
        { line: `${indentOf(line)}#${line.trimStart()}`, fault: noColon, rank: certain - 0.5 },
      ]
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
        (own.includes('\t') ? certain : 0) +
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
