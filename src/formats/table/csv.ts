import { CsvError, parse, type CsvErrorCode } from 'csv-parse/sync';

import { lineIndex } from '../yaml/line-index.js';
import type { Span } from '../yaml/yaml-tree.js';

/** A cell and its position. */
export interface CsvCell {
  /** Contents of a quoted cell without the quotes; other cells are trimmed. */
  readonly text: string;
  readonly isQuoted: boolean;
  readonly span: Span;
}

/** Cells of one row. */
export type CsvRecord = readonly CsvCell[];

/** Rows except empty ones, or a syntax error. */
export type CsvReading =
  | { readonly ok: true; readonly records: readonly CsvRecord[] }
  | { readonly ok: false; readonly message: string; readonly line: number };

/**
 * Parses comma-separated values (RFC 4180) with the position of each cell. The delimiter is `,`, `;` or tab, whichever is most frequent in
 * the first line, since spreadsheets write all three. Rows may differ in length. Never throws.
 */
export function readCsv(text: string): CsvReading {
  const source = Buffer.from(text.replace(/^\uFEFF/, ''));
  const placed = cellLocator(source);
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
      // The cells are collected here, so the parser need not keep them.
      on_record: () => {
        if (cells.some(({ text }) => text !== '')) records.push(cells);
        cells = [];
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // Use the start of the cell: the parser reports the line at which it stopped, and counts a single CR as a line.
    return { ok: false, message: messageFor(error), line: placed(source.length).line };
  }
  return { ok: true, records };
}

/** The delimiter of a table: the most frequent of `,`, `;` and tab in its first line. */
export function delimiterOf(text: string): string {
  const [head = ''] = text.split('\n', 1);
  const count = (mark: string): number => head.split(mark).length;
  return [';', '\t'].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ',');
}

/** Returns a function that maps the end offset of the next cell to its span. The parser has no columns, and counts in bytes. */
function cellLocator(source: Buffer): (end: number) => Span {
  const lines = lineIndex(source.toString());
  const characters = (from: number, to: number): number => source.toString('utf8', from, to).length;
  // End of the previous cell, in bytes and in characters.
  let [behind, counted] = [0, 0];
  return (end) => {
    const start = nextCellStart(source, behind);
    const from = counted + characters(behind, start);
    counted = from + characters(start, end);
    behind = end;
    return lines.span(from, Math.max(from + 1, counted));
  };
}

/** Skips one delimiter, or all line breaks including empty lines. */
function nextCellStart(source: Buffer, end: number): number {
  if (end === 0) return 0;
  if (!isBreak(source[end])) return end + 1;
  let at = end;
  while (isBreak(source[at])) at += 1;
  return at;
}

function isBreak(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

const messagesByCode: Readonly<Partial<Record<CsvErrorCode, string>>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quote is opened here and not closed',
  CSV_INVALID_CLOSING_QUOTE: 'a closing quote is followed by text; write a quote within quotes twice',
  CSV_NON_TRIMABLE_CHAR_AFTER_CLOSING_QUOTE:
    'a closing quote is followed by text; write a quote within quotes twice',
  INVALID_OPENING_QUOTE:
    'a quote is in the middle of a cell; put the cell in quotes and write the quote twice',
};

/** A message that does not quote the text, which may be a secret. */
function messageFor({ code }: CsvError): string {
  return messagesByCode[code] ?? 'this line is not valid CSV';
}
