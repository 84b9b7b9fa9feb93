/** Text of the program as Markdown, its code in backticks unchanged. */
export function escapedText(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replaceAll('*', '\\*').replaceAll('<', '&lt;')))
    .join('');
}
