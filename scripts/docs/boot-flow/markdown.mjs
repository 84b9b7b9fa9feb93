/** A table; cells are Markdown. Not padded, since a cell may hold a dozen links. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => (cell === '' ? '–' : cell)).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Text as code, in a cell: in one line, where a bar would end the cell. */
export function code(text) {
  return `\`${text.replaceAll(/\s+/g, ' ').trim().replaceAll('|', '\\|')}\``;
}
