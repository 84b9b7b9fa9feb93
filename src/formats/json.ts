/** Far deeper than any configuration, and low enough for recursive code. Go's limit is 10,000. */
const maxDepth = 1000;

/**
 * Parses JSON; undefined if the text is invalid or nested more than 1,000 levels deep. Drops the error message of the parser,
 * which quotes the text.
 */
export function parseJson(text: string): unknown {
  const value = valueOf(text);
  return isTooDeep(value) ? undefined : value;
}

/** Why `parseJson` fails: `is not JSON`, or that the text is nested too deeply. */
export function whyNotJson(text: string): string {
  return valueOf(text) === undefined ? 'is not JSON' : `is nested more than ${maxDepth} levels deep`;
}

const token =
  /\s*(?:"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|[{}[\],:])/y;

/** The line and column, counted from 1, of the first character that cannot be in JSON; undefined for JSON and for a text that ends early. */
export function placeOfJsonFault(text: string): { readonly line: number; readonly col: number } | undefined {
  const open: string[] = [];
  let [at, before] = [0, ''];
  const reader = new RegExp(token);
  while (text.slice(at).trim() !== '') {
    reader.lastIndex = at;
    const word = reader.exec(text)?.[0].trim();
    if (word === undefined || !canFollow(word, before, open)) return placeIn(text, at);
    if (word === '{' || word === '[') open.push(word);
    if (word === '}' || word === ']') open.pop();
    before = /^["\dtfn-]/.test(word) ? (isKey(before, open) ? 'key' : 'value') : word;
    at = reader.lastIndex;
  }
  return undefined;
}

function isKey(before: string, open: readonly string[]): boolean {
  return open.at(-1) === '{' && (before === '{' || before === ',');
}

function canFollow(word: string, before: string, open: readonly string[]): boolean {
  const followsValue = ['value', '}', ']'].includes(before);
  if (word === ':') return before === 'key';
  if (word === ',') return followsValue && open.length > 0;
  if (word === '}') return open.at(-1) === '{' && (followsValue || before === '{');
  if (word === ']') return open.at(-1) === '[' && (followsValue || before === '[');
  if (isKey(before, open)) return word.startsWith('"');
  return ['', ':', ',', '['].includes(before);
}

function placeIn(text: string, at: number): { readonly line: number; readonly col: number } {
  const blanks = /^\s*/.exec(text.slice(at))?.[0].length ?? 0;
  const lines = text.slice(0, at + blanks).split('\n');
  return { line: lines.length, col: (lines.at(-1) ?? '').length + 1 };
}

/** Whether a string, list or map is still open at the end of the text. */
export function isCutOff(text: string): boolean {
  const structure = text.replace(/"(?:[^"\\]|\\.)*"/gs, '');
  const open = structure.split(/[{[]/).length - structure.split(/[}\]]/).length;
  return open > 0 || (open === 0 && structure.includes('"'));
}

function valueOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Iterates level by level instead of recursing. */
function isTooDeep(value: unknown): boolean {
  let level = [value].filter(isNested);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    const below: object[] = [];
    for (const outer of level)
      for (const inner of Object.values(outer) as unknown[]) if (isNested(inner)) below.push(inner);
    level = below;
  }
  return false;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
