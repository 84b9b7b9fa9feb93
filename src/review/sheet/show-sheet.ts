import { inline } from '../diff/show-markdown.js';
import { remainingTime } from '../certificates/remaining-time.js';
import type { Sheet, SheetRow } from './sheet.js';

/** Columns of the screen, of the indented labels, and of a line of values. */
const [screenColumns, labelColumns] = [80, 16];

/** The sheet as lines of 80 columns, unless a single word is longer. Times are followed by the time that is left at `now`. */
export function sheetLines(sheet: Sheet, now: Date): readonly string[] {
  return sheet.flatMap(({ title, rows }) => [title, ...rows.flatMap((row) => rowLines(row, now))]);
}

export function rowLines({ label, values }: Omit<SheetRow, 'name'>, now: Date): readonly string[] {
  const head = `  ${label}`;
  const shown = values.map((value) => dated(value, now));
  const lines = wrapped(shown, screenColumns - labelColumns);
  if (head.length >= labelColumns)
    return [head, ...lines.map((line) => `${' '.repeat(labelColumns)}${line}`)];
  return lines.map((line, index) => `${(index === 0 ? head : '').padEnd(labelColumns)}${line}`);
}

/** Joins values with commas, and breaks lines between words. A longer word, such as an image with its digest, stays whole, so that it can be copied. */
function wrapped(values: readonly string[], columns: number): readonly string[] {
  const lines = [''];
  for (const word of values.join(', ').split(' ')) {
    const line = lines.at(-1) ?? '';
    const joined = line === '' ? word : `${line} ${word}`;
    if (joined.length <= columns) lines[lines.length - 1] = joined;
    else if (line === '') lines[lines.length - 1] = word;
    else lines.push(word);
  }
  return lines;
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

function dated(value: string, now: Date): string {
  return time.test(value) ? `${value} (${remainingTime(value, now)})` : value;
}

/** The sheet as a Markdown table for a change request. Has no relative times. */
export function sheetMarkdown(sheet: Sheet, title: string): string {
  const sections = sheet.map(({ title: heading, rows }) =>
    [
      `### ${heading}`,
      '',
      '| setting | value |',
      '| --- | --- |',
      ...rows.map(
        ({ label, values }) => `| ${label.replaceAll('|', '&#124;')} | ${values.map(cell).join('<br>')} |`,
      ),
      '',
    ].join('\n'),
  );
  return [`## ${title}`, '', ...sections].join('\n');
}

/** A vertical bar would end the cell, also within code. Source: GitHub Flavored Markdown, tables */
export function cell(text: string): string {
  return inline(text).replaceAll('|', '&#124;');
}
