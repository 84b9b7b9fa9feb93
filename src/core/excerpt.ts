import { isFieldName } from './quoted.js';
import { mayBeSecret } from './secrets.js';

/** Names of the fields that excerpts may show, at any depth. */
export interface PrintableFields {
  /** Fields that contain other fields. */
  readonly holders: ReadonlySet<string>;
  /** Fields with a scalar or a list of scalars. */
  readonly values: ReadonlySet<string>;
}

export interface PrintableLine {
  readonly text: string;
  /** False if part of the line was replaced by `…`. */
  readonly isWhole: boolean;
}

/**
 * The part of a line (counted from 1) of the user's file that is safe to print; the file may be invalid. The field name is printed.
 * The value is printed if the field and all its parents are in `fields` and it looks like a name, number, address, path or image.
 * Anything else may be a secret that was pasted by mistake. Undefined if nothing may be printed.
 */
export function printableLine(
  lines: readonly string[],
  line: number,
  fields: PrintableFields,
): PrintableLine | undefined {
  const text = lines[line - 1] ?? '';
  if (lines.some((each) => /^[^#]*\bSecret\b/.test(each))) return undefined;
  if (isPublic(text)) return { text, isWhole: true };
  const parts = partsOf(text);
  if (parts === undefined) return undefined;
  const { head, value } = parts;
  if (value === '' || structural.test(value)) return { text, isWhole: true };
  const [name = '…', ...holders] = namesOf(lines, line);
  const isKnown = fields.values.has(name) && holders.every((each) => fields.holders.has(each));
  if (isKnown && isPlain(value)) return { text, isWhole: true };
  return { text: `${head}…`, isWhole: false };
}

interface LineParts {
  readonly indent: number;
  /** Name of the field; absent for a list item. */
  readonly name?: string;
  /** The text before the value. */
  readonly head: string;
  readonly value: string;
}

/** Parses a line of YAML or JSON with one field or one list item; undefined for any other line. */
function partsOf(text: string): LineParts | undefined {
  const field = /^(\s*(?:- +)*)(["']?)([^\s"':]+)\2\s*:(?:\s+|$)/.exec(text);
  const [fieldHead, lead = '', , name = ''] = field ?? [];
  if (fieldHead !== undefined) {
    if (!isFieldName(name)) return undefined;
    return { indent: lead.length, name, head: fieldHead, value: text.slice(fieldHead.length).trim() };
  }
  const [itemHead] = /^\s*- +/.exec(text) ?? [];
  if (itemHead === undefined) return undefined;
  return { indent: itemHead.indexOf('-'), head: itemHead, value: text.slice(itemHead.length).trim() };
}

/** Column of a line's first character, and whether that is the dash of a list item. */
interface Level {
  readonly start: number;
  readonly isItem: boolean;
}

function levelOf(text: string): Level {
  const start = Math.max(0, text.search(/\S/));
  return { start, isItem: text.startsWith('- ', start) };
}

/** Names of the line's field and its parents, innermost first, derived from the indentation; `…` for a line that is not a field. */
function namesOf(lines: readonly string[], line: number): readonly string[] {
  const text = lines[line - 1] ?? '';
  const own = partsOf(text)?.name;
  const names = own === undefined ? [] : [own];
  let at = levelOf(text);
  for (const above of lines.slice(0, line - 1).toReversed()) {
    if (/^\s*(#|$)/.test(above) || structural.test(above.trim())) continue;
    const level = levelOf(above);
    if (level.start > at.start) continue;
    // A list item may have the same indentation as its field (YAML 1.2.2 §8.2.2).
    if (level.start === at.start && (!at.isItem || level.isItem)) continue;
    const parts = partsOf(above);
    const isBeside = !at.isItem && level.isItem && parts?.name !== undefined && parts.indent === at.start;
    if (!isBeside) names.push(parts?.name ?? '…');
    at = level;
  }
  return names;
}

/** Tokens that open or close lists, maps, block scalars and documents. */
const structural = /^(?:---|\.\.\.|[|>][+-]?|[{}[\]]{1,2},?|\},? ?\{)$/;

/** Lines that are public by nature: an OpenSSH authorized key, or the header of a certificate. */
function isPublic(text: string): boolean {
  return (
    /^\s*(?:sshKey:\s+)?["']?(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-nistp\d+|sk-[\w-]+@openssh\.com) AAAA[A-Za-z0-9+/]+={0,2}(?: [\w.@+-]{0,80})?["']?\s*$/.test(
      text,
    ) || /^\s*-----BEGIN CERTIFICATE-----\s*$/.test(text)
  );
}

/** Names, numbers, addresses, paths and images: only characters of a fixed set, and nothing that looks like a secret. */
function isPlain(value: string): boolean {
  const unquoted = value.replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2');
  const tokens = unquoted.replace(/^\[|\]$/g, '').split(/[\s,]+/);
  return !mayBeSecret(unquoted) && tokens.every(isPlainToken);
}

function isPlainToken(token: string): boolean {
  const text = token.replace(/@sha256:[0-9a-f]*$/, '').replace(/^(["'])(.*)\1$/, '$2');
  // A colon may precede a port, a tag, part of an address or the rest of a URL, but not a word, which could be a password.
  const colons = text
    .replace(/^[a-z]+:\/\//, '')
    .split(':')
    .slice(1);
  const isAddress = /^\[?[0-9a-f:.]+\]?(?:\/\d+)?$/i.test(text);
  return /^[\w./:*+=<>[\]-]*$/.test(text) && (isAddress || colons.every((part) => /^(?:\d|v\d)/.test(part)));
}
