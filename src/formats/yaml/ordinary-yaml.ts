import { byCodeUnit } from '../../core/compare.js';
import { textByPackage, type KeyOrder } from './package-yaml.js';

/**
 * The text that the package `yaml` gives for a list or map, in a quarter of the time: with two blanks of indent a level, long lines kept
 * whole and several lines as a literal block. Texts that may need quotes are asked of the package. Undefined where a key, or a
 * value that is no text, is for the package to judge.
 */
export function ordinaryYaml(value: unknown, { isSorted }: KeyOrder): string | undefined {
  if (!isCollection(value) || isEmpty(value) || !isOrdinary(value)) return undefined;
  return `${collection(value, '', isSorted ? byCodeUnit : undefined)}\n`;
}

type Order = ((one: string, other: string) => number) | undefined;

type Collection = readonly unknown[] | Readonly<Record<string, unknown>>;

function isCollection(value: unknown): value is Collection {
  if (Array.isArray(value)) return true;
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function isOrdinary(value: unknown): boolean {
  if (typeof value === 'string') return !lateEnd.test(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && !Object.is(value, -0);
  if (typeof value === 'boolean' || value === null) return true;
  if (!isCollection(value)) return false;
  if (Array.isArray(value)) return value.every(isOrdinary);
  return Object.entries(value).every(
    ([key, each]) => each === undefined || (isPlain(key) && key.length < longKey && isOrdinary(each)),
  );
}

/** What ends in more than one blank or line break is written by where it stands. */
const lateEnd = /[\n\t ][\n\t ]$/;

/** Longer ones are written with a question mark. Source: YAML 1.2 §8.2.2 */
const longKey = 1024;

/** What no reader of YAML 1.1 or 1.2 takes for anything but a text; some take `e810` for a number. */
function isPlain(text: string): boolean {
  return /^[A-Za-z/]/.test(text) && !oddSign.test(text) && !word.test(text);
}

/** What may say more than itself, or does so where it stands. */
const oddSign = /[^\w./@=+,%: -]|:(?![\w/.])| (?![\w./@=+])/;
const word = /^(?:[yn]|yes|no|true|false|on|off|null|e[-+]?\d+)$/i;

/** Lines of characters that nothing asks to be quoted; the first of them says how far they are indented. */
function isBlock(text: string): boolean {
  return text.includes('\n') && /^[!-~]/.test(text) && !/[^\n -~]/.test(text) && /[!-~]\n?$/.test(text);
}

function collection(value: Collection, indent: string, order: Order): string {
  const inner = `${indent}  `;
  if (Array.isArray(value)) return value.map((item) => `- ${node(item, inner, order)}`).join(`\n${indent}`);
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  if (order !== undefined) entries.sort(([one], [other]) => order(one, other));
  return entries
    .map(([key, each]) => {
      const isBelow = isCollection(each) && !isEmpty(each);
      return `${key}:${isBelow ? `\n${inner}` : ' '}${node(each, inner, order)}`;
    })
    .join(`\n${indent}`);
}

function node(value: unknown, indent: string, order: Order): string {
  if (typeof value === 'string') return text(value, indent);
  if (!isCollection(value)) return String(value);
  if (!isEmpty(value)) return collection(value, indent, order);
  return Array.isArray(value) ? '[]' : '{}';
}

function text(value: string, indent: string): string {
  if (isPlain(value)) return value;
  if (value === '') return '""';
  if (!isBlock(value)) return textByPackage(value, indent);
  const isEnded = value.endsWith('\n');
  const lines = (isEnded ? value.slice(0, -1) : value).replace(/\n+/g, `$&${indent}`);
  return `${isEnded ? '|' : '|-'}\n${indent}${lines}`;
}

function isEmpty(value: Collection): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return Object.values(value).every((each) => each === undefined);
}
