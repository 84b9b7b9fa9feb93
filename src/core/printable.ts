/** Makes untrusted text safe for a terminal: one line, with control characters (including escape) replaced by a dot. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\u00b7');
}
