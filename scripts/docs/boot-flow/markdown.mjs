/** A Markdown table; cells are Markdown. Not padded, since a cell may contain a dozen links. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => (cell === '' ? '–' : cell)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Inline code for a table cell: on one line, with `|` escaped. */
export function code(text) {
  return `\`${text.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')}\``;
}
