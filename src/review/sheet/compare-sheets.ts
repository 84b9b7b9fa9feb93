import { inline } from '../diff/show-markdown.js';
import { sectionTitles, type Sheet } from './sheet.js';
import { cell } from './show-sheet.js';

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
const notCompared = new Set(['payload']);
/** Only outputs have certificates, and only media have a live system. The other side does not know these facts. */
const ofOutputs = new Set(['boot-before', 'first-expiry']);
const ofMedia = new Set(['live-kernel-arguments', 'live-system', 'rootfs', 'payload-place']);

/**
 * The rows that differ, in the order of the sheet. Rows are equal if name, label and values are. Facts that only one side can know are not
 * compared.
 */
export function changedRows(before: Sheet, after: Sheet): readonly ChangedRow[] {
  const skipped = [
    notCompared,
    ...[ofOutputs, ofMedia].filter((names) => ![before, after].every(hasRowIn(names))),
  ];
  const isCompared = (name: string): boolean => !skipped.some((names) => names.has(name));
  const [earlier, later] = [flat(before, isCompared), flat(after, isCompared)];
  const keys = [...new Set([...later.keys(), ...earlier.keys()])];
  const changed = keys.flatMap((key) => {
    const [left, right] = [earlier.get(key), later.get(key)];
    const shown = right ?? left;
    if (shown === undefined || JSON.stringify(left?.values) === JSON.stringify(right?.values)) return [];
    const { section, name, label } = shown;
    return [
      { section, name, label, ...(left && { before: left.values }), ...(right && { after: right.values }) },
    ];
  });
  const order: readonly string[] = [...sectionTitles.values()];
  return changed.toSorted((left, right) => order.indexOf(left.section) - order.indexOf(right.section));
}

interface FlatRow {
  readonly section: string;
  readonly name: string;
  readonly label: string;
  readonly values: readonly string[];
}

function hasRowIn(names: ReadonlySet<string>): (sheet: Sheet) => boolean {
  return (sheet) => sheet.some(({ rows }) => rows.some(({ name }) => names.has(name)));
}

/** Rows by name and label. Equal keys, such as several mirrors, are numbered. */
function flat(sheet: Sheet, isCompared: (name: string) => boolean): ReadonlyMap<string, FlatRow> {
  const rows = new Map<string, FlatRow>();
  for (const { title, rows: given } of sheet) {
    for (const row of given.filter(({ name }) => isCompared(name))) {
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

/** The changed rows for a pull request comment. */
export function changedRowsMarkdown(changed: readonly ChangedRow[], what: string): string {
  const lines = changed.map(({ section, label, before = [], after = [] }) =>
    [`${section}: ${label}`, before.join(', '), after.join(', ')].map(cell).join(' | '),
  );
  const count = `${changed.length} changed line${changed.length === 1 ? '' : 's'}`;
  const head = changed.length === 0 ? 'No changed lines' : `**${count}**`;
  const table = [
    '| setting | before | after |',
    '| --- | --- | --- |',
    ...lines.map((line) => `| ${line} |`),
  ];
  return [`${head} in the sheet: ${inline(what)}`, '', ...(changed.length === 0 ? [] : [...table, ''])].join(
    '\n',
  );
}
