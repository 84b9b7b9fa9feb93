import { printable } from '../../core/printable.js';

/**
 * A cell for a spreadsheet, without control and format characters other than line ends. Spreadsheets run a cell that begins with =, +, -
 * or @ as a formula, also after blanks, and in the full-width form of East Asian input. Source: owasp.org, CSV Injection
 */
export function csvCell(text: string): string {
  const shown = text
    .split(/\r\n|\r|\n/)
    .map(printable)
    .join('\n');
  const plain = /^[\s\u00b7'"]*[=+\-@\uff1d\uff0b\uff0d\uff20\u2212\ufe62\ufe63\ufe66\ufe6b]/.test(shown)
    ? `'${shown}`
    : shown;
  return /[",\r\n;\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
