/** A text of somebody else as it may go to a terminal, on one line: control characters, an escape among them, show as a dot. */
export function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, '\u00b7');
}
