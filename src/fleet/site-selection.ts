import { problem, type Problem } from '../core/problem.js';
import { quotedName } from '../core/quoted.js';
import { failure, success, type Result } from '../core/result.js';
import { suggestionOr } from '../core/suggest.js';
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

/**
 * Returns the function that tells whether a site is selected. A site without a value matches an empty value.
 * Problems: usage/unknown-argument.
 */
export function siteSelector(
  { only, where }: SiteSelection,
  columns: Iterable<string>,
): Result<(site: SelectableSite) => boolean> {
  const names = [...new Set(columns)];
  const problems: Problem[] = [];
  const conditions = where.flatMap((text) => {
    const [, column = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    const fault =
      column === '' ? notCondition() : names.includes(column) ? undefined : noColumn(column, names);
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
  { variables }: Pick<Fleet, 'variables'>,
  { columns }: Pick<SiteTable, 'columns'>,
): readonly string[] {
  return [...columns.keys(), ...variables.keys()];
}

/** A row for `siteSelector`. */
export function selectableSite(
  { name, variables: own }: SiteRow,
  { variables }: Pick<Fleet, 'variables'>,
): SelectableSite {
  return {
    name,
    valueOf: (column) => {
      const value = (own.known.get(column) ?? variables.get(column))?.value;
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
