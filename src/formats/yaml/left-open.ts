/** What is still to be done with a text that a template engine should have replaced. */
export const fillInBraces = 'fill in the template: "{{ … }}" is still there';

/**
 * What is to be done with a value that nobody has filled in yet: whatever else is wrong with it follows from that. The text itself,
 * which may be a secret, is not repeated. Undefined of any other text.
 */
export function leftOpen(text: string): string | undefined {
  if (/\{\{.*\}\}/.test(text)) return fillInBraces;
  if (/\$\{[A-Za-z_][\w.]*\}/.test(text)) return 'fill in the template: "${…}" is still there';
  if (marks.some((mark) => mark.test(text.trim()))) return 'fill it in';
  // Somebody may have meant it so.
  return /^[A-Z]{2,}(?:_[A-Z]{2,})+$/.test(text.trim()) ? 'fill it in, if it stands for a value' : undefined;
}

/** In examples and templates: <domain>, changeme. */
const marks = [/^<.*>$/, /^(?:change|replace)[ _-]?me$/i];
