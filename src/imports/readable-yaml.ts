import type { Origin, Traced, TracedText } from '../fleet/traced.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

interface Line {
  readonly text: string;
  readonly origin: Origin;
}

/** A document as people write YAML: in quotes only what needs them, texts of several lines as blocks. */
export function readableYaml(root: Traced): TracedText {
  const lines = linesOf(root);
  return { text: lines.map(({ text }) => `${text}\n`).join(''), origins: lines.map(({ origin }) => origin) };
}

function linesOf(node: Traced): readonly Line[] {
  const { origin } = node;
  switch (node.kind) {
    case 'scalar':
      return scalarLines(node.yaml).map((text) => ({ text, origin }));
    case 'list':
      if (node.items.length === 0) return [{ text: '[]', origin }];
      return node.items.flatMap((item) => behind('-', item, '  '));
    case 'map':
      if (node.entries.length === 0) return [{ text: '{}', origin }];
      return node.entries.flatMap(({ key, origin: at, value }) => {
        const head = `${scalarText(key)}:`;
        if (!isNested(value)) return behind(head, value, '');
        return [{ text: head, origin: at }, ...indented(linesOf(value), '  ')];
      });
  }
}

/** What stands in one line behind its head, and the rest below it. */
function behind(head: string, value: Traced, indent: string): readonly Line[] {
  const [first, ...rest] = linesOf(value);
  if (first === undefined) return [];
  return [{ ...first, text: `${head} ${first.text}` }, ...indented(rest, indent)];
}

/** Empty lines of a block stay empty. */
function indented(lines: readonly Line[], indent: string): readonly Line[] {
  return lines.map((line) => (line.text === '' ? line : { ...line, text: `${indent}${line.text}` }));
}

function isNested(value: Traced): boolean {
  return value.kind === 'map' ? value.entries.length > 0 : value.kind === 'list' && value.items.length > 0;
}

/** A block needs no escapes; its lines stand two columns behind the field that holds it. */
function scalarLines(yaml: string): readonly string[] {
  if (!yaml.startsWith('"')) return [yaml];
  const text = JSON.parse(yaml) as string;
  if (!isBlock(text)) return [scalarText(text)];
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  return [text.endsWith('\n') ? '|' : '|-', ...body.split('\n').map((line) => line && `  ${line}`)];
}

function isBlock(text: string): boolean {
  return /^[^\s#][\x20-\x7e\n]*[\x21-\x7e]\n?$/.test(text) && text.includes('\n') && !/ \n/.test(text);
}

/** Words, paths, domains and IPv4 addresses, which YAML 1.1 reads as texts too. Source: yaml.org/type, bool, null, int and float */
const plain = /^(?:[A-Za-z/][\w./@+=-]*(?: [\w./@+=-]+)*|\d+\.\d+\.\d+\.\d+(?:\/\d+)?)$/;
const reserved = /^(?:y|n|yes|no|on|off|true|false|null)$/i;

function scalarText(text: string): string {
  return plain.test(text) && !reserved.test(text) ? text : inQuotes(text);
}
