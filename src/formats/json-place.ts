import type { FieldPath } from './yaml/yaml-tree.js';

/** Where something begins in a text: both count from 1, columns in UTF-16 units. */
export interface TextPlace {
  readonly line: number;
  readonly col: number;
}

/**
 * Where a field stands in a valid JSON text, or the nearest thing around it that is there; of a name that stands twice, the last,
 * which is the one that is read. `target` says whether the value is meant or its name.
 */
export function placeInJson(text: string, path: FieldPath, target: 'key' | 'value' = 'value'): TextPlace {
  let place = skipSpace(text, 0);
  let value = place;
  for (const [depth, step] of path.entries()) {
    const found = typeof step === 'number' ? itemAt(text, value, step) : memberOf(text, value, step);
    if (found === undefined) break;
    value = found.value;
    place = depth === path.length - 1 && target === 'key' ? found.key : found.value;
  }
  const lines = text.slice(0, place).split('\n');
  return { line: lines.length, col: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Offsets of a member or an item, whose key is where it begins itself. */
interface Found {
  readonly key: number;
  readonly value: number;
}

function memberOf(text: string, start: number, name: string): Found | undefined {
  if (text[start] !== '{') return undefined;
  let found: Found | undefined;
  let at = skipSpace(text, start + 1);
  while (text[at] === '"') {
    const end = endOfText(text, at);
    const value = skipSpace(text, skipSpace(text, end) + 1);
    if (JSON.parse(text.slice(at, end)) === name) found = { key: at, value };
    at = afterComma(text, endOfValue(text, value));
  }
  return found;
}

function itemAt(text: string, start: number, index: number): Found | undefined {
  if (text[start] !== '[') return undefined;
  let at = skipSpace(text, start + 1);
  for (let passed = 0; passed < index && text[at] !== ']' && at < text.length; passed += 1)
    at = afterComma(text, endOfValue(text, at));
  return text[at] === ']' || at >= text.length ? undefined : { key: at, value: at };
}

function afterComma(text: string, end: number): number {
  const next = skipSpace(text, end);
  return text[next] === ',' ? skipSpace(text, next + 1) : next;
}

/** The offset behind a value; counts brackets, so that no depth is too deep. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  while (at < text.length) {
    const sign = text[at] ?? '';
    if (sign === '"') at = endOfText(text, at);
    else if ('{['.includes(sign)) [depth, at] = [depth + 1, at + 1];
    else if ('}]'.includes(sign)) [depth, at] = [depth - 1, at + 1];
    else at = '{}[]"'.includes(sign) ? at : skipPlain(text, at);
    if (depth <= 0) return at;
  }
  return at;
}

/** The offset behind a text in quotes. */
function endOfText(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return text.length;
    let slashes = 0;
    while (text[quote - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** Passes a number or a word, or within brackets whatever separates. */
function skipPlain(text: string, start: number): number {
  const end = /[{}[\]",\n]/g;
  end.lastIndex = start + 1;
  return end.exec(text)?.index ?? text.length;
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (' \n\r\t'.includes(text[at] ?? '-')) at += 1;
  return at;
}
