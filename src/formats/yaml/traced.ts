import type { Place } from '../../core/problem.js';
import { inQuotes } from './yaml-scalars.js';

/** Source of a value in a site's config. */
export interface Origin {
  /** Position in a file of the base, or of the site's override. */
  readonly at: Place;
  /** Cell of the site table that supplied the value or a part of it. */
  readonly cell?: Place;
}

/** A value of a site's config with its origin. */
export type Traced = TracedMap | TracedList | TracedScalar;

/** A mapping with unique keys. */
export interface TracedMap {
  readonly kind: 'map';
  readonly entries: readonly TracedEntry[];
  readonly origin: Origin;
}

export interface TracedEntry {
  readonly key: string;
  readonly origin: Origin;
  readonly value: Traced;
}

export interface TracedList {
  readonly kind: 'list';
  readonly items: readonly Traced[];
  readonly origin: Origin;
}

export interface TracedScalar {
  readonly kind: 'scalar';
  /** YAML on one line; strings are double-quoted. */
  readonly yaml: string;
  readonly origin: Origin;
}

/** YAML text with the origin of each line. */
export interface TracedText {
  readonly text: string;
  /** By line, from 0. */
  readonly origins: readonly Origin[];
}

/** `quoted`: all strings in double quotes. `readable`: quotes only where necessary, multi-line text as blocks. */
type Style = 'quoted' | 'readable';

interface Line {
  readonly text: string;
  readonly origin: Origin;
}

/** Writes documents as YAML. Every value is on a separate line. */
export function writeTraced(documents: readonly Traced[], style: Style = 'quoted'): TracedText {
  return joined(
    documents.flatMap((document, index) => [
      ...(index === 0 ? [] : [{ text: '---', origin: document.origin }]),
      ...yamlLines(document, style),
    ]),
  );
}

/** Writes JSON if the file name ends in `.json`, because readers of a pull secret expect it, otherwise YAML. */
export function writeTracedFile(path: string, documents: readonly Traced[]): TracedText {
  const [root, second] = documents;
  const isJson = root !== undefined && second === undefined && path.endsWith('.json');
  return isJson ? joined(jsonLines(root, { head: '', tail: '' })) : writeTraced(documents);
}

function joined(lines: readonly Line[]): TracedText {
  return { text: lines.map(({ text }) => `${text}\n`).join(''), origins: lines.map(({ origin }) => origin) };
}

export function tracedAt(root: Traced, path: readonly (string | number)[]): Traced | undefined {
  return path.reduce<Traced | undefined>((node, step) => {
    if (node?.kind === 'map') return node.entries.find(({ key }) => key === step)?.value;
    return node?.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
  }, root);
}

/** Text of a scalar; undefined for null and for collections. */
export function scalarText(node: Traced | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.yaml === 'null') return undefined;
  return node.yaml.startsWith('"') ? (JSON.parse(node.yaml) as string) : node.yaml;
}

function yamlLines(node: Traced, style: Style): readonly Line[] {
  const { origin } = node;
  switch (node.kind) {
    case 'scalar':
      return scalarLines(node.yaml, style).map((text) => ({ text, origin }));
    case 'list':
      if (node.items.length === 0) return [{ text: '[]', origin }];
      return node.items.flatMap((item) => {
        const lines = indented(yamlLines(item, style));
        return isNested(item) && style === 'quoted'
          ? [{ text: '-', origin: item.origin }, ...lines]
          : joinToHead('-', lines);
      });
    case 'map':
      if (node.entries.length === 0) return [{ text: '{}', origin }];
      return node.entries.flatMap(({ key, origin: ofKey, value }) => {
        const head = `${style === 'quoted' ? inQuotes(key) : quotedIfNeeded(key)}:`;
        const lines = yamlLines(value, style);
        return isNested(value)
          ? [{ text: head, origin: ofKey }, ...indented(lines)]
          : joinToHead(head, lines);
      });
  }
}

function isNested(value: Traced): boolean {
  return value.kind === 'map' ? value.entries.length > 0 : value.kind === 'list' && value.items.length > 0;
}

/** Joins the first line to a key or a dash. */
function joinToHead(head: string, [first, ...rest]: readonly Line[]): readonly Line[] {
  return first === undefined ? [] : [{ ...first, text: `${head} ${first.text.trimStart()}` }, ...rest];
}

/** Leaves the empty lines of a block empty. */
function indented(lines: readonly Line[]): readonly Line[] {
  return lines.map((line) => (line.text === '' ? line : { ...line, text: `  ${line.text}` }));
}

function scalarLines(yaml: string, style: Style): readonly string[] {
  if (style === 'quoted' || !yaml.startsWith('"')) return [yaml];
  const text = JSON.parse(yaml) as string;
  if (!isBlock(text)) return [quotedIfNeeded(text)];
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return [text.endsWith('\n') ? '|' : '|-', ...body.split('\n').map((line) => line && `  ${line}`)];
}

/** Whether a multi-line text can be written as a block without escapes. */
function isBlock(text: string): boolean {
  return /^[^\s#][\x20-\x7e\n]*[\x21-\x7e]\n?$/.test(text) && text.includes('\n') && !/ \n/.test(text);
}

/** Words, paths, domains and IPv4 addresses, which are strings in YAML 1.1 too. Source: yaml.org/type, bool, null, int and float */
const plain = /^(?:[A-Za-z/][\w./@+=-]*(?: [\w./@+=-]+)*|\d+\.\d+\.\d+\.\d+(?:\/\d+)?)$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function quotedIfNeeded(text: string): string {
  return plain.test(text) && !reserved.test(text) ? text : inQuotes(text);
}

/** Text before a value on its first line, and after it on its last. */
interface LineContext {
  readonly head: string;
  readonly tail: string;
}

function jsonLines(node: Traced, { head, tail }: LineContext): readonly Line[] {
  const { origin } = node;
  if (node.kind === 'scalar') return [{ text: `${head}${node.yaml}${tail}`, origin }];
  const members =
    node.kind === 'list'
      ? node.items.map((value) => ({ name: '', value }))
      : node.entries.map(({ key, value }) => ({ name: `${inQuotes(key)}: `, value }));
  const [open, close] = node.kind === 'list' ? ['[', ']'] : ['{', '}'];
  const inner = members.flatMap(({ name, value }, index) =>
    jsonLines(value, { head: name, tail: index === members.length - 1 ? '' : ',' }),
  );
  return [{ text: `${head}${open}`, origin }, ...inner, { text: `${close}${tail}`, origin }];
}
