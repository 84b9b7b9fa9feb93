import { CsvError, parse, type CsvErrorCode } from 'csv-parse/sync';

import { lineIndex } from '../yaml/line-index.js';
import type { Span } from '../yaml/yaml-tree.js';

/** A cell of a table with its place. */
export interface CsvCell {
  /** Without the quotes it may have; where it has none, without the blanks around it. */
  readonly text: string;
  readonly isQuoted: boolean;
  readonly span: Span;
}

/** The cells of one line of a table. */
export type CsvRecord = readonly CsvCell[];

/** The lines of a table, empty ones left out, or why the text is none. */
export type CsvReading =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

/**
 * Reads comma-separated values (RFC 4180) with the place of each. Between them stands `,`, `;` or tab, whichever the first line has:
 * spreadsheets write all three. Records may be of any length. Never throws.
 */
export function readCsv(text: string): CsvReading {
  const source = Buffer.from(text.replace(/^\uFEFF/, ''));
  const placed = cellsPlaced(source);
  const records: CsvRecord[] = [];
  let cells: CsvCell[] = [];
  try {
    parse(source, {
      delimiter: delimiterOf(text),
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      skip_empty_lines: true,
      cast: (value, { bytes, quoting }) => {
        cells.push({ text: quoting ? value : value.trim(), isQuoted: quoting, span: placed(bytes) });
        return '';
      },
      // What is kept here need not be held by the parser, too.
      on_record: () => {
        if (cells.some(({ text }) => text !== '')) records.push(cells);
        cells = [];
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Where the cell begins: the parser tells the line at which it gave up, and counts a lone CR as one.
    return { ok: false, message: wordingOf(error), line: placed(source.length).line };
  }
  return { ok: true, records };
}

function delimiterOf(text: string): string {
  const [head = ''] = text.split('\n', 1);
  const count = (mark: string): number => head.split(mark).length;
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}

/** Tells where the next cell stands, given the byte behind it. The parser knows no columns, and counts in bytes. */
function cellsPlaced(source: Buffer): (end: number) => Span {
  const lines = lineIndex(source.toString());
  const characters = (from: number, to: number): number => source.toString('utf8', from, to).length;
  // The end of the cell before, in bytes and in characters.
  let [behind, counted] = [0, 0];
  return (end) => {
    const start = startAfter(source, behind);
    const from = counted + characters(behind, start);
    counted = from + characters(start, end);
    behind = end;
    return lines.span(from, Math.max(from + 1, counted));
  };
}

/** Behind the one delimiter, or all line breaks and the empty lines between them. */
function startAfter(source: Buffer, end: number): number {
  if (end === 0) return 0;
  if (!isBreak(source[end])) return end + 1;
  let at = end;
  while (isBreak(source[at])) at += 1;
  return at;
}

function isBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

const wordings: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and not closed',
  CSV_INVALID_CLOSING_QUOTE:
    'there is something behind a closing quote; a quote within quotes is written twice',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    'there is something behind a closing quote; a quote within quotes is written twice',
  INVALID_OPENING_QUOTE:
    'there is a quote in the middle of a cell; a cell with one stands in quotes, and the quote twice',
};

/** In words of people; nothing of the text, which may be a secret. */
function wordingOf({ code }: CsvError): string {
  return wordings[code] ?? 'this line is no comma-separated values';
}
