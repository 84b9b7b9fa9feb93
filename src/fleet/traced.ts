import type { Place } from '../core/problem.js';
import { inQuotes } from '../formats/yaml/yaml-scalars.js';

/** Where a value of a site comes from. */
export interface Origin {
  /** In a file of the base, or of the site's override. */
  readonly at: Place;
  /** In the table of the sites, where that gave the value or a part of it. */
  readonly cell?: Place;
}

/** A value of a site's file with its origin. */
export type Traced = TracedMap | TracedList | TracedScalar;

/** A mapping; each key stands once. */
export interface TracedMap {
  readonly kind: 'map';
  readonly entries: readonly TracedEntry[];
  readonly origin: Origin;
}

/** A field with its value. */
export interface TracedEntry {
  readonly key: string;
  readonly origin: Origin;
  readonly value: Traced;
}

/** A sequence. */
export interface TracedList {
  readonly kind: 'list';
  readonly items: readonly Traced[];
  readonly origin: Origin;
}

/** A value that holds no others. */
export interface TracedScalar {
  readonly kind: 'scalar';
  /** As YAML has it in one line: in quotes where it is a text. */
  readonly yaml: string;
  readonly origin: Origin;
}

/** A text of YAML that says for each of its lines where that comes from. */
export interface TracedText {
  readonly text: string;
  /** By line, from 0. */
  readonly origins: readonly Origin[];
}

interface Line {
  readonly text: string;
  readonly origin: Origin;
}

/** Documents as YAML, each value on a line of its own. */
export function tracedText(documents: readonly Traced[]): TracedText {
  const lines = documents.flatMap((document, index) => [
    ...(index === 0 ? [] : [{ text: '---', origin: document.origin }]),
    ...linesOf(document, ''),
  ]);
  return {
    text: lines.map(({ text }) => `${text}\n`).join(''),
    origins: lines.map(({ origin }) => origin),
  };
}

/** The value at a path of keys and positions, if it is there. */
export function tracedAt(root: Traced, path: readonly (string | number)[]): Traced | undefined {
  return path.reduce<Traced | undefined>((node, step) => {
    if (node?.kind === 'map') return node.entries.find(({ key }) => key === step)?.value;
    return node?.kind === 'list' && typeof step === 'number' ? node.items[step] : undefined;
  }, root);
}

/** What a scalar says, as text; undefined for what is none. */
export function scalarText(node: Traced | undefined): string | undefined {
  if (node?.kind !== 'scalar' || node.yaml === 'null') return undefined;
  return node.yaml.startsWith('"') ? (JSON.parse(node.yaml) as string) : node.yaml;
}

function linesOf(node: Traced, indent: string): readonly Line[] {
  switch (node.kind) {
    case 'scalar':
      return [{ text: `${indent}${node.yaml}`, origin: node.origin }];
    case 'list':
      if (node.items.length === 0) return [{ text: `${indent}[]`, origin: node.origin }];
      return node.items.flatMap((item) => behind(`${indent}-`, item, { indent, origin: item.origin }));
    case 'map':
      if (node.entries.length === 0) return [{ text: `${indent}{}`, origin: node.origin }];
      return node.entries.flatMap(({ key, origin, value }) =>
        behind(`${indent}${inQuotes(key)}:`, value, { indent, origin }),
      );
  }
}

/** What stands in one line behind its head; the rest below it. */
function behind(
  head: string,
  value: Traced,
  { indent, origin }: { indent: string; origin: Origin },
): readonly Line[] {
  const lines = linesOf(value, `${indent}  `);
  const [first] = lines;
  if (!isNested(value) && first) return [{ text: `${head} ${first.text.trimStart()}`, origin: value.origin }];
  return [{ text: head, origin }, ...lines];
}

function isNested(value: Traced): boolean {
  return value.kind === 'map' ? value.entries.length > 0 : value.kind === 'list' && value.items.length > 0;
}
