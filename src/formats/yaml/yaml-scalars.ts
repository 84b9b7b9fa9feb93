/** A scalar node of the `yaml` package. */
interface ScalarNode {
  readonly type?: string;
  /** Only for an explicit tag. */
  readonly tag?: string;
  /** Resolved as YAML 1.1. */
  readonly value: unknown;
  readonly source?: string;
}

/**
 * The value that Go's YAML parsers read. They differ from YAML 1.1 and from the package in numbers: `1:30` and `e810` are strings, `0o17`
 * and `+_1` are numbers.
 */
export function scalarValue({ type, tag, value, source = '' }: ScalarNode): unknown {
  if (type !== 'PLAIN' || tag !== undefined) return value;
  const mayBeNumber = typeof value === 'number' || /^[-+.\d]/.test(source);
  return mayBeNumber && !/^[-+]?\.(?:inf|nan)$/i.test(source) ? (plainNumber(source) ?? source) : value;
}

/**
 * The number that Go's YAML parsers read from unquoted text; undefined if they read a string.
 * Source: resolve.go of go.yaml.in/yaml/v2 and v3; strconv.ParseInt, base 0
 */
export function plainNumber(text: string): number | undefined {
  if (!/^[-+.\d]/.test(text)) return undefined;
  // After a leading point, an underscore is allowed only between two digits.
  if (text.startsWith('.') && /(?<!\d)_|_(?!\d)/.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  return wholeNumber(digits) ?? (float.test(digits) ? finite(digits) : undefined);
}

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const whole = /^([-+]?)(0[xX][\dA-Fa-f]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/;

/** 64-bit integers, signed or unsigned. */
function wholeNumber(digits: string): number | undefined {
  const [, sign = '', magnitude] = whole.exec(digits) ?? [];
  if (magnitude === undefined) return undefined;
  const value = BigInt(/^0[0-7]+$/.test(magnitude) ? `0o${magnitude.slice(1)}` : magnitude.toLowerCase());
  const isWithin = sign === '-' ? value <= 2n ** 63n : value < 2n ** (sign === '+' ? 63n : 64n);
  return isWithin ? Number(sign === '-' ? -value : value) : undefined;
}

function finite(digits: string): number | undefined {
  const value = Number(digits);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Characters that must be escaped in YAML. U+0085, U+2028 and U+2029 are line breaks in YAML 1.1, a byte order mark
 * is dropped, and parsers reject the others. Source: yaml.org/spec/1.1 §5.1, §5.4; go-yaml readerc.go
 */
const unwritable = '\\u007f-\\u009f\\u2028\\u2029\\ufeff\\ufffe\\uffff';
const allUnwritable = new RegExp(`[${unwritable}]`, 'g');

/** Escapes these characters in a document, which contains them only in double-quoted strings. */
export function escapeUnwritable(yaml: string): string {
  return yaml.replace(
    allUnwritable,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Double-quoted text, valid in YAML and JSON. */
export function inQuotes(text: string): string {
  return escapeUnwritable(JSON.stringify(text));
}

/** Whether text can only be written in double quotes. */
export function needsDoubleQuotes(text: string): boolean {
  // The first line of a block sets its indentation. go-yaml misreads it if the line is empty or starts with a space.
  return quotedOnly.test(text) || (text.includes('\n') && /^\s/.test(text));
}

const quotedOnly = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f${unwritable}]`);

/** Offset of the first character that must be escaped. A byte order mark at the start is allowed. */
export function firstUnwritable(text: string): number | undefined {
  const at = text.slice(1).search(raw);
  if (at >= 0) return at + 1;
  return raw.test(text.charAt(0).replace('\ufeff', '')) ? 0 : undefined;
}

/** A CR without LF is a line break in YAML 1.1, but not in our line numbers. */
const raw = new RegExp(`[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f${unwritable}]|\\r(?!\\n)`);

/** A lone surrogate has no UTF-8 form. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}
