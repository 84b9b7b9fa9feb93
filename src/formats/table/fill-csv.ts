import { delimiterOf } from './csv.js';

/** Cells to fill by the value in the key column, then by column name. Texts are written as given, quoted if necessary. */
export type CsvFills = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface FilledCsv {
  readonly text: string;
  /** Number of filled cells. */
  readonly filled: number;
}

/**
 * Fills empty cells of a valid CSV text, and appends columns that it does not have. All other bytes stay as they are: cells with a
 * value, quotes, delimiter, line ends and byte order mark.
 */
export function fillCsv(text: string, key: string, fills: CsvFills): FilledCsv {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const delimiter = delimiterOf(text);
  const lines = rawLines(text.slice(mark.length), delimiter);
  const head = lines.find(({ cells }) => !isBlank(cells));
  if (head === undefined) return { text, filled: 0 };
  const known = head.cells.map(valueOf);
  const keyIndex = known.indexOf(key);
  const columns = [...known, ...newColumns(known, fills)];
  let filled = 0;
  const rows = lines.map((line): RawLine => {
    const { cells, end } = line;
    if (isBlank(cells)) return line;
    const isHead = line === head;
    const own = isHead ? undefined : fills.get(valueOf(cells[keyIndex] ?? ''));
    const wanted = columns.map((name, index) => {
      const raw = cells[index] ?? (isHead ? name : '');
      const value = raw.trim() === '' ? own?.get(name) : undefined;
      if (value !== undefined) filled += 1;
      return value ?? raw;
    });
    const isWidened = columns.length > known.length;
    const width = isWidened ? columns.length : Math.max(cells.length, lastFilled(wanted) + 1);
    return { cells: wanted.slice(0, width), end };
  });
  return { text: `${mark}${rows.map(({ cells, end }) => cells.join(delimiter) + end).join('')}`, filled };
}

function newColumns(known: readonly string[], fills: CsvFills): readonly string[] {
  const names = [...fills.values()].flatMap((own) => [...own.keys()]);
  return [...new Set(names)].filter((name) => !known.includes(name));
}

function lastFilled(cells: readonly string[]): number {
  return cells.findLastIndex((each) => each !== '');
}

interface RawLine {
  /** With their quotes and blanks. */
  readonly cells: readonly string[];
  /** Line break; empty at the end of a text without one. */
  readonly end: string;
}

function rawLines(text: string, delimiter: string): readonly RawLine[] {
  const cell = new RegExp(`("(?:[^"]|"")*"|[^${delimiter}\\n]*?)(${delimiter}|\\r?\\n|$)`, 'y');
  const lines: RawLine[] = [];
  let cells: string[] = [];
  for (let at = 0; at < text.length || cells.length > 0; at = cell.lastIndex) {
    cell.lastIndex = at;
    const [, raw, end] = cell.exec(text) ?? [];
    if (raw === undefined || end === undefined) throw new Error('internal error: the table is not valid CSV');
    cells.push(raw);
    if (end === delimiter) continue;
    lines.push({ cells, end });
    cells = [];
  }
  return lines;
}

/** Spreadsheets write lines of delimiters below a table. */
function isBlank(cells: readonly string[]): boolean {
  return cells.every((each) => valueOf(each) === '');
}

function valueOf(raw: string): string {
  return raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw.trim();
}
