/** A scalar as the package reads it: its type, its tag where one is written, what YAML 1.1 makes of it, and its text. */
interface ReadScalar {
  readonly type?: string;
  readonly tag?: string;
  readonly value: unknown;
  readonly source?: string;
}

/**
 * What Go's readers take a scalar for. They differ from YAML 1.1, and from the package, in numbers: `1:30` and `e810` are texts, `0o17` and
 * `+_1` are none.
 */
export function scalarValue({ type, tag, value, source = '' }: ReadScalar): unknown {
  if (type !== 'PLAIN' || tag !== undefined) return value;
  const isAsked = typeof value === 'number' || /^[-+.\d]/.test(source);
  return isAsked && !/^[-+]?\.(?:inf|nan)$/i.test(source) ? (plainNumber(source) ?? source) : value;
}

/** The number that Go's readers take a text without quotes for. Source: resolve.go of go.yaml.in/yaml/v2 and v3; strconv.ParseInt, base 0 */
export function plainNumber(text: string): number | undefined {
  if (!/^[-+.\d]/.test(text)) return undefined;
  // Behind a point, each stands between two digits.
  if (text.startsWith('.') && /(?<!\d)_|_(?!\d)/.test(text)) return undefined;
  const digits = text.replaceAll('_', '');
  return wholeNumber(digits) ?? (float.test(digits) ? finite(digits) : undefined);
}

const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const whole = /^([-+]?)(0[xX][\dA-Fa-f]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/;

/** What fits into 64 bits, with a sign or without. */
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
