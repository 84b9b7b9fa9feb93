/**
 * Characters that YAML has no raw form for, or that its parsers take for line breaks or drop: U+0085, U+2028 and U+2029 break lines
 * in YAML 1.1, a byte order mark vanishes, and others are refused. Source: yaml.org/spec/1.1 §5.1, §5.4; go-yaml readerc.go.
 */
const unwritable = '\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff';

/** Where the text of a document holds such a character: within double quotes, which `needsEscapes` asks for. */
export const escaped = new RegExp(`[${unwritable}]`, 'g');

/** Whether a text can only be written in double quotes. */
export function needsEscapes(text: string): boolean {
  // A block tells its indentation by its first line, which go-yaml reads otherwise where that begins with a blank or is empty.
  return quotedOnly.test(text) || (text.includes('\n') && /^\s/.test(text));
}

const quotedOnly = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${unwritable}]`);

/** The offset of the first character that a text cannot have as it is; at its very beginning a byte order mark can stand. */
export function firstUnwritable(text: string): number | undefined {
  const at = text.slice(1).search(raw);
  if (at >= 0) return at + 1;
  return raw.test(text.charAt(0).replace('\ufeff', '')) ? 0 : undefined;
}

/** A CR alone breaks a line in YAML 1.1, and is in no line break of ours. */
const raw = new RegExp(`[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${unwritable}]|\\r(?!\\n)`);

/** The escape of a character: `\u2028`. */
export function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text in double quotes, as both YAML and JSON have it. */
export function inQuotes(text: string): string {
  return JSON.stringify(text).replace(escaped, escapeOf);
}

/** Whether a text has half of a surrogate pair in it, which is no character and has no form in UTF-8. */
export function hasHalfCharacter(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
