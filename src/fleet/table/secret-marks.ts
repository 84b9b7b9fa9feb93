import type { Variable } from '../../config/variables.js';
import type { SiteOptions } from '../build/site-options.js';
import type { SecretsIn } from '../build/site-fingerprint.js';
import type { SiteRow } from './site-table.js';

/** A row with marks in place of its secrets. */
export interface MarkedRow {
  readonly row: SiteRow;
  readonly secretsIn: SecretsIn;
}

/** Replaces the secrets of a row by their marks; undefined if the fleet has no secrets. */
export function withMarks(
  row: SiteRow,
  { secretMarks }: Pick<SiteOptions, 'secretMarks'>,
): MarkedRow | undefined {
  const marks = Object.entries(secretMarks);
  if (marks.length === 0) return undefined;
  const { known, empty } = row.variables;
  const marked = marks.map(([name, text]): [string, Variable] => {
    const value = { kind: 'scalar', value: text, text, span: { line: 1, col: 1, length: 1 } } as const;
    return [name, { value, at: { file: '' } }];
  });
  return {
    row: { ...row, variables: { known: new Map([...known, ...marked]), empty } },
    secretsIn: 'marks',
  };
}

/** The row as commands see it that do not fetch secrets. */
export function asMarked(row: SiteRow, order: Pick<SiteOptions, 'secretMarks'>): MarkedRow {
  return withMarks(row, order) ?? { row, secretsIn: 'values' };
}
