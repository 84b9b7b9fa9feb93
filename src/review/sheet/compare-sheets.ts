import type { Sheet } from './sheet.js';

/** A row with other values on the two sides. Absent values: the side has no such row. */
export interface ChangedRow {
  /** Title of the section. */
  readonly section: string;
  readonly name: string;
  readonly label: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** The size changes with every generation of keys. */
const notCompared: ReadonlySet<string> = new Set(['payload']);

/** The rows that differ, in the order of the sheet. Rows are equal if name, label and values are. */
export function changedRows(before: Sheet, after: Sheet): readonly ChangedRow[] {
  const [earlier, later] = [flat(before), flat(after)];
  const keys = [...new Set([...later.keys(), ...earlier.keys()])];
  return keys.flatMap((key) => {
    const [left, right] = [earlier.get(key), later.get(key)];
    const shown = right ?? left;
    if (shown === undefined || JSON.stringify(left?.values) === JSON.stringify(right?.values)) return [];
    const { section, name, label } = shown;
    return [
      { section, name, label, ...(left && { before: left.values }), ...(right && { after: right.values }) },
    ];
  });
}

interface FlatRow {
  readonly section: string;
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

/** Rows by name and label. Equal keys, such as several mirrors, are numbered. */
function flat(sheet: Sheet): ReadonlyMap<string, FlatRow> {
  const rows = new Map<string, FlatRow>();
  for (const { title, rows: given } of sheet) {
    for (const row of given.filter(({ name }) => !notCompared.has(name))) {
      let number = 0;
      while (rows.has(keyOf(row, number))) number += 1;
      rows.set(keyOf(row, number), { section: title, ...row });
    }
  }
  return rows;
}

function keyOf({ name, label }: Pick<FlatRow, 'name' | 'label'>, number: number): string {
  return JSON.stringify([name, label, number]);
}

/** The changed rows as lines of a diff, by section. */
export function changedRowsLines(changed: readonly ChangedRow[]): readonly string[] {
  return changed.flatMap(({ section, label, before, after }, index) => [
    ...(changed[index - 1]?.section === section ? [] : [section]),
    ...(before === undefined ? [] : [`  - ${label}: ${before.join(', ')}`]),
    ...(after === undefined ? [] : [`  + ${label}: ${after.join(', ')}`]),
  ]);
}
