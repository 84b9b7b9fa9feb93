/** Spreadsheets run a cell that begins with one of these as a formula. Source: owasp.org, CSV Injection */
export function csvCell(text: string): string {
  const plain = /^[=+\-@]/.test(text) ? `'${text}` : text;
  return /[",\r\n;\t]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
