import { closest } from '../../../core/suggest.js';

/** The names of one kind by the versions that know them: `27-32` (both ends included) to names apart by white space. */
export type NamesByRange = Readonly<Record<string, string>>;

/** The names that a minor version knows; a version outside the table counts as the nearest one in it. */
export function namesOf(table: NamesByRange, minor: number): ReadonlySet<string> {
  const ranges = Object.keys(table).map(rangeOf);
  const first = Math.min(...ranges.map((range) => range.first));
  const last = Math.max(...ranges.map((range) => range.last));
  const known = Math.max(first, Math.min(minor, last));
  const matching = Object.entries(table).filter(([key]) => isWithin(known, rangeOf(key)));
  return new Set(matching.flatMap(([, names]) => wordsOf(names)));
}

/** What to do about a name that the version does not know: the versions that have it, or the known name it resembles. */
export function unknownNameHint(table: NamesByRange, { name, minor, versionOf }: UnknownName): string {
  const ranges = Object.entries(table).filter(([, names]) => wordsOf(names).includes(name));
  if (ranges.length > 0)
    return `it exists in ${ranges.map(([key]) => rangeText(key, versionOf)).join(' and ')}`;
  const meant = closest(name, namesOf(table, minor));
  return meant === undefined ? 'leave it out' : `did you mean "${meant}"?`;
}

/** A name that stands in a table not at all, or not for this minor version. */
export interface UnknownName {
  readonly name: string;
  readonly minor: number;
  /** Writes a minor version of the table as users know it, such as `1.33`. */
  readonly versionOf: (minor: number) => string;
}

interface MinorRange {
  readonly first: number;
  readonly last: number;
}

function rangeText(key: string, versionOf: (minor: number) => string): string {
  const { first, last } = rangeOf(key);
  return first === last ? versionOf(first) : `${versionOf(first)} to ${versionOf(last)}`;
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
