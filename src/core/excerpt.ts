import { isName } from './quoted.js';
import { mayBeSecret } from './secrets.js';

/** The names of the fields that excerpts may show, wherever they stand. */
export interface ShownFields {
  /** Those that hold fields. */
  readonly holders: ReadonlySet<string>;
  /** Those that hold a value or a list of values. */
  readonly values: ReadonlySet<string>;
}

/** The part of a line that may be shown. */
export interface ShownLine {
  readonly text: string;
  /** False when something of the line was left out. */
  readonly isWhole: boolean;
}

/**
 * What may be shown of a line (from 1) of the user's file, whether the file is valid or not: the name of a field, and its value
 * when the field and all that hold it are among `fields` and the value has the form of a name, a number, an address, a path or
 * an image. Anything else may be a secret, by a slip if not by purpose. Undefined when nothing may be shown.
 */
export function shownLine(
  lines: readonly string[],
  line: number,
  fields: ShownFields,
): ShownLine | undefined {
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
  /** Of the field that stands here; absent for an item of a list. */
  readonly name?: string;
  /** What stands before the value. */
  readonly head: string;
  readonly value: string;
}

/** A line of YAML or JSON that holds one field, or one item of a list; undefined for any other. */
function partsOf(text: string): LineParts | undefined {
  const field = /^(\s*(?:- +)*)(["']?)([^\s"':]+)\2\s*:(?:\s+|$)/.exec(text);
  const [fieldHead, lead = '', , name = ''] = field ?? [];
  if (fieldHead !== undefined) {
    if (!isName(name)) return undefined;
    return { indent: lead.length, name, head: fieldHead, value: text.slice(fieldHead.length).trim() };
  }
  const [itemHead] = /^\s*- +/.exec(text) ?? [];
  if (itemHead === undefined) return undefined;
  return { indent: itemHead.indexOf('-'), head: itemHead, value: text.slice(itemHead.length).trim() };
}

/** Where a line begins, and whether with the dash of an item. */
interface Level {
  readonly start: number;
  readonly isItem: boolean;
}

function levelOf(text: string): Level {
  const start = Math.max(0, text.search(/\S/));
  return { start, isItem: text.startsWith('- ', start) };
}

/** The names of the fields that a line stands in, its own first, as indentation tells them; `…` for what is no field. */
function namesOf(lines: readonly string[], line: number): readonly string[] {
  const text = lines[line - 1] ?? '';
  const own = partsOf(text)?.name;
  const names = own === undefined ? [] : [own];
  let at = levelOf(text);
  for (const above of lines.slice(0, line - 1).toReversed()) {
    if (/^\s*(#|$)/.test(above) || structural.test(above.trim())) continue;
    const level = levelOf(above);
    if (level.start > at.start) continue;
    // An item may stand below its field without being set in (YAML 1.2.2 §8.2.2).
    if (level.start === at.start && (!at.isItem || level.isItem)) continue;
    const parts = partsOf(above);
    const isBeside = !at.isItem && level.isItem && parts?.name !== undefined && parts.indent === at.start;
    if (!isBeside) names.push(parts?.name ?? '…');
    at = level;
  }
  return names;
}

/** What opens and closes lists, maps, texts and documents. */
const structural = /^(?:---|\.\.\.|[|>][+-]?|[{}[\]]{1,2},?|\},? ?\{)$/;

/** Lines that people are meant to hand round: an authorized key of OpenSSH, the head of a certificate. */
function isPublic(text: string): boolean {
  return (
    /^\s*(?:sshKey:\s+)?["']?(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-nistp\d+|sk-[\w-]+@openssh\.com) AAAA[A-Za-z0-9+/]+={0,2}(?: [\w.@+-]{0,80})?["']?\s*$/.test(
      text,
    ) || /^\s*-----BEGIN CERTIFICATE-----\s*$/.test(text)
  );
}

/** Names, numbers, addresses, paths, images: texts of a closed set of characters in which no secret is recognised. */
function isPlain(value: string): boolean {
  const bare = value.replace(/,$/, '').replace(/^(["'])(.*)\1$/, '$2');
  const tokens = bare.replace(/^\[|\]$/g, '').split(/[\s,]+/);
  return !mayBeSecret(bare) && tokens.every(isPlainToken);
}

function isPlainToken(token: string): boolean {
  const text = token.replace(/@sha256:[0-9a-f]*$/, '').replace(/^(["'])(.*)\1$/, '$2');
  // What follows a colon is a port, a tag, a part of an address, or the rest of a URL: no word, which may be a password.
  const colons = text
    .replace(/^[a-z]+:\/\//, '')
    .split(':')
    .slice(1);
  const isAddress = /^\[?[0-9a-f:.]+\]?(?:\/\d+)?$/i.test(text);
  return /^[\w./:*+=<>[\]-]*$/.test(text) && (isAddress || colons.every((part) => /^(?:\d|v\d)/.test(part)));
}
