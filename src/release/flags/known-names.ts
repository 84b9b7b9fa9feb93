import { problem, type Problem, type ProblemCode } from '../../core/problem.js';
import { quotedName } from '../../core/quoted.js';
import { suggestionOr } from '../../core/suggest.js';

/** Names of one kind, by version range: `27-32` (both inclusive) maps to names separated by white space. */
export type NamesByRange = Readonly<Record<string, string>>;

/** A table with its program and the kind of name, such as `kube-apiserver`, 1, `flag`. */
export interface NameTable {
  readonly names: NamesByRange;
  readonly owner: string;
  readonly major: number;
  readonly kind: string;
}

export interface NamesToCheck {
  readonly minor: number;
  readonly names: readonly string[];
}

/** The names known in a minor version. A version outside the table is treated as the nearest one in it. */
export function namesOf(table: NamesByRange, minor: number): ReadonlySet<string> {
  return namesAt(table, nearestMinor(table, minor));
}

/** The minor version in the table that is nearest to the given one. */
export function nearestMinor(table: NamesByRange, minor: number): number {
  const ranges = Object.keys(table).map(rangeOf);
  const first = Math.min(...ranges.map((range) => range.first));
  const last = Math.max(...ranges.map((range) => range.last));
  return Math.max(first, Math.min(minor, last));
}

/** The names whose ranges contain exactly this minor version. */
export function namesAt(table: NamesByRange, minor: number): ReadonlySet<string> {
  const matching = Object.entries(table).filter(([key]) => isWithin(minor, rangeOf(key)));
  return new Set(matching.flatMap(([, names]) => wordsOf(names)));
}

/** One problem for each unknown name, in the order given. */
export function unknownNames(code: ProblemCode, table: NameTable, given: NamesToCheck): readonly Problem[] {
  const known = namesOf(table.names, given.minor);
  const owner = `${table.owner} ${table.major}.${given.minor}`;
  return given.names
    .filter((name) => !known.has(name))
    .map((name) =>
      problem(code, `${owner} has no ${table.kind} ${quotedName(name)}`, {
        hint: hintFor(name, table, known),
      }),
    );
}

/** Names the versions that have the name, or the most similar known name. */
function hintFor(name: string, table: NameTable, known: ReadonlySet<string>): string {
  const ranges = Object.entries(table.names).filter(([, names]) => wordsOf(names).includes(name));
  if (ranges.length > 0) {
    return `remove it: it exists only in ${ranges.map(([key]) => rangeText(key, table.major)).join(' and ')}`;
  }
  return suggestionOr(name, known, 'leave it out');
}

interface MinorRange {
  readonly first: number;
  readonly last: number;
}

function rangeText(key: string, major: number): string {
  const { first, last } = rangeOf(key);
  return first === last ? `${major}.${first}` : `${major}.${first} to ${major}.${last}`;
}

function rangeOf(key: string): MinorRange {
  const [first = NaN, last = NaN] = key.split('-').map(Number);
  return { first, last };
}

function isWithin(minor: number, { first, last }: MinorRange): boolean {
  return first <= minor && minor <= last;
}

function wordsOf(names: string): readonly string[] {
  return names.trim().split(/\s+/);
}
