import { type Place, type Problem, problem } from '../../core/problem.js';
import { isName, quoted, quotedName } from '../../core/quoted.js';
import { type Result, failure, success } from '../../core/result.js';
import { type CsvCell, type CsvRecord, readCsv } from '../../formats/table/csv.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import type { YamlMap, YamlNode } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import type { InputRead } from '../../graph/context.js';
import { type DraftRow, type NamedRow, type SiteRow, namedRow } from './site-row.js';
import { type Variable, isVariableName, cellToYaml } from '../../config/variables.js';

export type { SiteRow };

export interface SiteTable {
  /** In the order of the table. */
  readonly rows: readonly SiteRow[];
  /** Errors of columns and rows. With any of them, rows are checked but no outputs are created. */
  readonly faults: readonly Problem[];
  /** Names of the rows that cannot be checked because they have more cells than columns. */
  readonly leftOut: readonly string[];
  /** First place of each variable: the header of its column, or the first site that sets it. */
  readonly columns: ReadonlyMap<string, Place>;
  /** Whether rows have layers. Unused columns are then no problem, since the layer contains their values. */
  readonly hasLayers?: true;
  /** Warnings about objects that no site uses. Parses all files, so it is called only to check the whole fleet. */
  readonly unused?: () => readonly Problem[];
}

/**
 * Reads the site table: CSV with a header, or a list of maps in YAML or JSON. The file extension selects the format.
 * Problems: fleet/table, fleet/column, fleet/site-name, fleet/site-twice.
 */
export function readSiteTable(file: string, read: InputRead): Result<SiteTable> {
  if (read.kind !== 'file') {
    const reason = read.kind === 'absent' ? 'it does not exist' : read.reason;
    return failure(
      problem('fleet/table', `cannot read the site table: ${reason}`, {
        at: { file },
        hint: 'correct `sites` in fleet.yaml, or restore the file',
      }),
    );
  }
  const text = decodeUtf8(read.bytes);
  if (text === undefined) {
    const hint = 'save it as UTF-8; export a spreadsheet as CSV';
    return failure(problem('fleet/table', `${file} is not UTF-8 text`, { at: { file }, hint }));
  }
  const drafts = isYamlTable(file) ? fromYaml(file, text) : fromCsv(file, text);
  if (!drafts.ok) return drafts;
  if (drafts.value.columns.size > maxColumns) return tooManyColumns(file, drafts.value.columns.size);
  const { columns, rows, faults, misread } = drafts.value;
  if (rows.length + misread.length === 0)
    return failure(...faults, problem('fleet/table', 'the site table has no sites', { at: { file } }));
  const named = rows.map((row) => namedRow(row, file));
  const others = misread.map((row) => namedRow(row, file));
  const all = [...named, ...others];
  return success({
    rows: named.map(({ row }) => row),
    leftOut: others.map(({ row }) => row.name),
    columns,
    faults: [...faults, ...all.flatMap(({ problems }) => problems), ...twice(all)],
  });
}

/** Whether a table is a list of maps; others are CSV. */
export function isYamlTable(file: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(file);
}

/** Far above any real fleet. A table with more columns has rows and columns swapped, or is another file. */
const maxColumns = 1000;

function tooManyColumns(file: string, columns: number): Result<never> {
  const message = `the site table has ${columns} columns; the limit is ${maxColumns}`;
  const hint = 'write one site per row and one variable per column';
  return failure(problem('fleet/table', message, { at: { file }, hint }));
}

interface Drafts {
  readonly rows: readonly DraftRow[];
  /** Rows with more cells than columns. */
  readonly misread: readonly DraftRow[];
  readonly columns: ReadonlyMap<string, Place>;
  readonly faults: readonly Problem[];
}

function fromCsv(file: string, text: string): Result<Drafts> {
  const reading = readCsv(text);
  if (!reading.ok) {
    return failure(problem('fleet/table', reading.message, { at: { file, line: reading.line } }));
  }
  const [first, ...records] = reading.records;
  const head = first ?? [];
  if (head.length > maxColumns) return tooManyColumns(file, head.length);
  const columns = new Map<string, Place>();
  const faults: Problem[] = [];
  const named = head.map(({ text, span }): CsvColumn => {
    const place = { file, ...namedPath(text) };
    const fault = columnFault(text, columns);
    if (fault === undefined) columns.set(text, { ...place, ...span });
    else faults.push(problem('fleet/column', fault, { at: { file, ...span } }));
    return { name: fault === undefined ? text : undefined, place };
  });
  const [rows, misread]: [DraftRow[], DraftRow[]] = [[], []];
  for (const record of records) {
    const surplus = record[head.length];
    if (surplus !== undefined) faults.push(surplusCell(file, surplus, head.length));
    (surplus === undefined ? rows : misread).push(new CsvRow(named, record));
  }
  return success({ rows, misread, columns, faults });
}

/** Column name as the path of a place; omitted if it may be a secret, for example if the header is missing. */
function namedPath(name: string): Pick<Place, 'path'> {
  return isName(name) ? { path: name } : {};
}

function columnFault(name: string, known: ReadonlyMap<string, Place>): string | undefined {
  if (known.has(name)) return `the column ${quotedName(name)} occurs twice`;
  if (name === '') return 'the column name is missing';
  return isVariableName(name)
    ? undefined
    : `${quoted(name)} is not a valid column name: start with a letter; use only letters, digits, "-" and "_"`;
}

function surplusCell(file: string, { span }: CsvCell, columns: number): Problem {
  const message = `this line has more cells than the header (${columns})`;
  const hint = 'put a value that contains a comma into double quotes';
  return problem('fleet/column', message, { at: { file, ...span }, hint });
}

function fromYaml(file: string, text: string): Result<Drafts> {
  const { documents, faults: unread } = readYaml(text, { maxTokens: 5_000_000 });
  if (unread.length > 0) {
    return failure(
      ...unread.map(({ message, hint, span }) =>
        problem('fleet/table', message, { at: { file, ...span }, hint }),
      ),
    );
  }
  const [root] = documents;
  if (documents.length !== 1 || root?.kind !== 'list') {
    const hint = 'write each site as a list item: "- name: site1"';
    return failure(problem('fleet/table', `${file} is not a list of sites`, { at: { file }, hint }));
  }
  const columns = new Map<string, Place>();
  const faults: Problem[] = [];
  const rows = root.items.flatMap((item, index) => {
    const at = { file, path: `[${index}]`, ...item.span };
    if (item.kind === 'map') return [yamlRow(item, { at, columns, faults })];
    faults.push(problem('fleet/table', 'the site is not a map of variables', { at }));
    return [];
  });
  if (rows.length === 0 && faults.length > 0) return failure(...faults);
  return success({ rows, misread: [], columns, faults });
}

function yamlRow(
  item: YamlMap,
  { at, columns, faults }: { at: Place; columns: Map<string, Place>; faults: Problem[] },
): DraftRow {
  const [known, empty] = [new Map<string, Variable>(), new Map<string, Place>()];
  for (const { key, keySpan, value } of item.entries) {
    const place = { file: at.file, ...(isName(key) && { path: `${at.path ?? ''}.${key}` }), ...keySpan };
    const fault = columnFault(key, new Map());
    if (fault !== undefined) {
      faults.push(problem('fleet/column', fault, { at: { ...place, path: at.path ?? '' } }));
      continue;
    }
    if (!columns.has(key)) columns.set(key, place);
    const span = value.kind === 'scalar' && value.text !== '' ? value.span : keySpan;
    if (value.kind === 'scalar' && value.value === null) empty.set(key, place);
    else known.set(key, { value, at: { ...place, ...span } });
  }
  return { at, known, empty };
}

function twice(rows: readonly NamedRow[]): readonly Problem[] {
  const first = new Map<string, Place>();
  return rows.flatMap(({ row: { name, at, isMisnamed } }) => {
    if (isMisnamed) return [];
    const earlier = first.get(name);
    if (earlier === undefined) first.set(name, at);
    return earlier === undefined
      ? []
      : [problem('fleet/site-twice', `site ${name} already exists in line ${earlier.line ?? 1}`, { at })];
  });
}

/** A column with its place, but without the line. */
interface CsvColumn {
  /** Undefined if the name is invalid or a duplicate. */
  readonly name: string | undefined;
  readonly place: Place;
}

/** A CSV row; its variables are computed on each access to save memory. */
class CsvRow implements DraftRow {
  readonly #columns: readonly CsvColumn[];
  readonly #record: CsvRecord;

  constructor(columns: readonly CsvColumn[], record: CsvRecord) {
    [this.#columns, this.#record] = [columns, record];
  }

  get at(): Place {
    const [first] = this.#record;
    return { file: this.#columns[0]?.place.file ?? '', ...first?.span };
  }

  get known(): ReadonlyMap<string, Variable> {
    const placed = this.#placed();
    return new Map(
      placed.flatMap(({ name, at, cell }) => (cell ? [[name, { value: cellValue(cell), at }]] : [])),
    );
  }

  get empty(): ReadonlyMap<string, Place> {
    return new Map(this.#placed().flatMap(({ name, at, cell }) => (cell ? [] : [[name, at]])));
  }

  /** An empty, unquoted cell counts as missing. */
  #placed(): readonly { readonly name: string; readonly at: Place; readonly cell: CsvCell | undefined }[] {
    const cells = this.#record;
    const line = cells[0] && { line: cells[0].span.line };
    return this.#columns.flatMap(({ name, place }, index) => {
      if (name === undefined) return [];
      const cell = cells[index];
      const hasValue = cell !== undefined && (cell.text !== '' || cell.isQuoted);
      return [{ name, at: { ...place, ...(cell?.span ?? line) }, cell: hasValue ? cell : undefined }];
    });
  }
}

/** Reads a cell like a YAML scalar; a quoted cell is always a string. */
function cellValue({ text, isQuoted, span }: CsvCell): YamlNode {
  const written = isQuoted ? undefined : cellToYaml(text);
  // Fast path without the YAML parser: nearly all cells are strings.
  if (written === undefined || written.startsWith('"')) return { kind: 'scalar', value: text, text, span };
  const [document] = readYaml(written).documents;
  return document?.kind === 'scalar' ? { ...document, span } : { kind: 'scalar', value: text, text, span };
}
