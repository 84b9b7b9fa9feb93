/** HTML that needs no escaping. */
export interface Html {
  readonly html: string;
}

type Part = string | number | Html | readonly Html[] | undefined;

/** A template tag for HTML. Escapes strings and numbers for element content and quoted attributes; inserts `Html` unchanged. */
export function markup(texts: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const pieces = texts.map((text, index) => `${text}${index < parts.length ? written(parts[index]) : ''}`);
  return { html: pieces.join('') };
}

function written(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((each) => each.html).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
