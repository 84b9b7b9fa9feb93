import { problem, type Problem } from '../../core/problem.js';
import { maskedWord, quoted, quotedName } from '../../core/quoted.js';
import { failure, success, type Result } from '../../core/result.js';
import { suggestionOr } from '../../core/suggest.js';
import { withFleetVariables } from './check-fleet.js';
import { namesOfClasses } from './class-variables.js';
import type { Fleet } from './fleet-file.js';
import type { SiteRow, SiteTable } from './site-table.js';

/** Sites that a command works on. Both parts must match. */
export interface SiteSelection {
  /** Site names; `*` matches any part of a name. Empty: all sites. */
  readonly only: readonly string[];
  /** Conditions `column=value`, which must all match; `*` matches any part of a value. */
  readonly where: readonly string[];
}

/** Whether the selection leaves out sites. */
export function isPartial({ only, where }: SiteSelection): boolean {
  return only.length + where.length > 0;
}

/** A site with its values as texts; undefined for a column without a value. */
export interface SelectableSite {
  readonly name: string;
  readonly valueOf: (column: string) => string | undefined;
}

/** The table that a selection refers to. */
export interface SelectableTable {
  readonly columns: Iterable<string>;
  /** All sites. Each name and value of the selection must match one of them; undefined if only a part of the sites is known. */
  readonly sites?: Iterable<SelectableSite>;
}

/**
 * Returns the function that tells whether a site is selected. A site without a value matches an empty value.
 * Problems: usage/unknown-argument, fleet/no-site.
 */
export function siteSelector(
  { only, where }: SiteSelection,
  { columns, sites }: SelectableTable,
): Result<(site: SelectableSite) => boolean> {
  const names = [...new Set(columns)];
  const known = sites && [...sites];
  const problems: Problem[] = known === undefined ? [] : [...unmatchedNames(only, known)];
  const conditions = where.flatMap((text) => {
    const [, column = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const fault =
      column === ''
        ? notCondition()
        : names.includes(column)
          ? known && unmatchedCondition({ column, value }, known)
          : noColumn(column, names);
    if (fault !== undefined) problems.push(fault);
    return fault === undefined ? [{ column, value }] : [];
  });
  if (problems.length > 0) return failure(...problems);
  return success(
    ({ name, valueOf }) =>
      isSelected(name, only) &&
      conditions.every(({ column, value }) => matchesPattern(valueOf(column) ?? '', value)),
  );
}

/** Reports names and patterns that match no site. */
function unmatchedNames(only: readonly string[], sites: readonly SelectableSite[]): readonly Problem[] {
  const names = sites.map(({ name }) => name);
  return only.flatMap((pattern) => {
    const fault = unmatchedPattern(pattern, names);
    return fault === undefined
      ? []
      : [problem('fleet/no-site', `no site of the table ${fault.text}`, { hint: fault.hint })];
  });
}

function unmatchedCondition(
  { column, value }: { readonly column: string; readonly value: string },
  sites: readonly SelectableSite[],
): Problem | undefined {
  const fault = unmatchedValue(value, valuesIn(sites, column));
  if (fault === undefined) return undefined;
  const message = `no site has ${fault.text} in the column ${quotedName(column)}`;
  return problem('fleet/no-site', message, { hint: fault.hint });
}

/** The fault of a name or value of a selection. `text` follows the words "no site". */
export interface Unmatched {
  readonly text: string;
  readonly hint: string;
}

/** Undefined if the name or pattern matches one of the names. */
export function unmatchedPattern(pattern: string, names: readonly string[]): Unmatched | undefined {
  if (names.some((name) => matchesPattern(name, pattern))) return undefined;
  const isPattern = pattern.includes('*');
  return {
    text: `${isPattern ? 'matches' : 'is named'} ${quoted(maskedWord(pattern))}`,
    hint: suggestionOr(pattern, names, 'write the name of a site of the table; "*" matches any characters'),
  };
}

/** Undefined if the value or pattern matches one of the values. */
export function unmatchedValue(value: string, values: readonly string[]): Unmatched | undefined {
  if (values.some((each) => matchesPattern(each, value))) return undefined;
  return {
    text: value === '' ? 'an empty value' : quoted(maskedWord(value)),
    hint: suggestionOr(value, values, 'write a value of the table; "*" matches any characters'),
  };
}

/** The values of a column, an empty text for a site without one. */
export function valuesIn(sites: readonly SelectableSite[], column: string): readonly string[] {
  return [...new Set(sites.map(({ valueOf }) => valueOf(column) ?? ''))];
}

function notCondition(): Problem {
  const hint = 'write COLUMN=VALUE, for example --where hardware=r750,region=eu';
  return problem('usage/unknown-argument', '--where is not a condition COLUMN=VALUE', { hint });
}

function noColumn(column: string, columns: readonly string[]): Problem {
  const hint = suggestionOr(column, columns, 'name a column of the table or a variable of fleet.yaml');
  return problem('usage/unknown-argument', `--where: the table has no column ${quotedName(column)}`, {
    hint,
  });
}

/** Columns of a fleet for `siteSelector`. */
export function selectableColumns(
  { variables, classVariables }: Pick<Fleet, 'variables' | 'classVariables'>,
  { columns }: Pick<SiteTable, 'columns'>,
): readonly string[] {
  return [...columns.keys(), ...variables.keys(), ...namesOfClasses(classVariables)];
}

/** A row for `siteSelector`. */
export function selectableSite(
  row: SiteRow,
  fleet: Pick<Fleet, 'variables' | 'classes' | 'classVariables'>,
): SelectableSite {
  return {
    name: row.name,
    valueOf: (column) => {
      const value = withFleetVariables(row, fleet).variables.known.get(column)?.value;
      return value?.kind === 'scalar' ? value.text : undefined;
    },
  };
}

/** Failure if the selection matches no site. */
export function noMatchingSite({ only, where }: SiteSelection): Result<never> {
  const parts = [
    ...(only.length > 0 || where.length === 0 ? [{ option: '--only', hint: '--only takes site names' }] : []),
    ...(where.length > 0 ? [{ option: '--where', hint: '--where takes COLUMN=VALUE' }] : []),
  ];
  const options = parts.map(({ option }) => option).join(' and ');
  const verb = parts.length > 1 ? 'do not match' : 'does not match';
  const hint = `${parts.map((part) => part.hint).join(', ')}; "*" matches any characters`;
  return failure(problem('fleet/no-site', `${options} ${verb} any site of the table`, { hint }));
}

/** Whether `--only` selects a site; an empty list selects all. */
export function isSelected(name: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((each) => matchesPattern(name, each));
}

/** Whether a text matches a pattern, in which `*` matches any part of the text. */
export function matchesPattern(text: string, pattern: string): boolean {
  if (!pattern.includes('*')) return text === pattern;
  const literal = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${literal.join('.*')}$`, 's').test(text);
}
