import { quotedName } from '../../core/quoted.js';
import type { LineIndex } from './line-index.js';
import type { YamlFault } from './yaml-faults.js';
import type { Span, YamlEntry, YamlNode } from './yaml-tree.js';

/** What is gathered while the tree of one document is built. */
export interface Building {
  readonly lines: LineIndex;
  readonly faults: YamlFault[];
  readonly anchors: Map<string, Built>;
}

/** A part of the tree. */
export interface Built {
  readonly node: YamlNode;
  /** How many values this one comes to when every alias in it is written out. */
  readonly weight: number;
}

/** Deeper than any configuration, and far from the end of the stack. */
export const maxDepth = 64;

/** More values than a document may come to once its aliases are written out: a YAML bomb goes into the billions. */
export const maxWeight = 200_000;

/** Faults of size, which end the reading of a document. */
export const tooDeep = { kind: 'size', message: 'the YAML is nested too deeply' } as const;
/** Once the aliases are written out. */
export const tooHeavy = {
  kind: 'size',
  message: 'the aliases of this YAML multiply beyond all measure',
} as const;

/** Faults of a single node, which leave the rest of the document readable. */
export const unknownAlias = { kind: 'syntax', message: 'this alias names no anchor above it' } as const;
/** Tags make objects of a program, or binary data. */
export const strangeTag = {
  kind: 'syntax',
  message: 'tags other than those of text, numbers, lists and maps are not read',
} as const;

/** It comes in by an escape. */
export const halfCharacter = {
  kind: 'syntax',
  message: 'half of a surrogate pair is no character, and other programs refuse it',
  hint: 'write the character itself, or its escape with eight digits after "\\U"',
} as const;

/** Other programs read such a key as something else than it looks like: yes as true, 0x10 as 16, and nothing at all as null. */
export const oddKey = {
  kind: 'syntax',
  message: 'a key must be a text',
  hint: 'put it in quotes',
} as const;

/** Other programs refuse such a value, or make another of it. */
export const oddTag = {
  kind: 'syntax',
  message: 'the value is not what its tag says',
  hint: 'leave the tag out',
} as const;

/** A tag by its short name: `str` (YAML 1.2.2 §10.2). */
export function tagOf(name: string): string {
  return `tag:yaml.org,2002:${name}`;
}

/** The one tag that says nothing new of a key. */
export const textTag = tagOf('str');

/** Tags of what JSON has too (YAML 1.2.2 §10.2). */
export const plainTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map(tagOf),
);

/** Notes a fault, and stands in for the node that cannot be built. */
export function refuse(building: Building, what: Omit<YamlFault, 'span'>, span: Span): Built {
  building.faults.push({ ...what, span });
  return { node: { kind: 'scalar', value: null, text: '', span }, weight: 1 };
}

/** Adds an entry to those of its map; a key that is there already is a fault. */
export function addEntry(entries: Map<string, YamlEntry>, entry: YamlEntry, building: Building): void {
  const earlier = entries.get(entry.key);
  if (!earlier) {
    entries.set(entry.key, entry);
    return;
  }
  refuse(building, twice(quotedName(entry.key), earlier.keySpan), entry.keySpan);
}

/** That a key stands in a map already. */
export function twice(key: string, { line }: Span): Omit<YamlFault, 'span'> {
  return {
    kind: 'duplicate-key',
    message: `${key} is given twice, first on line ${line}`,
    hint: 'keep one of the two',
  };
}

/** The entries that `<<` brings from a map or a list of maps; anything else is a fault. */
export function mergedEntries(node: YamlNode, building: Building): readonly YamlEntry[] {
  const maps = node.kind === 'list' ? node.items : [node];
  return maps.flatMap((each) => {
    if (each.kind === 'map') return each.entries;
    refuse(building, { kind: 'syntax', message: 'only maps can be merged with "<<"' }, each.span);
    return [];
  });
}

/** The lines of a `|` text stand one by one below its head. */
export function linesOf(text: string, { lines }: Building, head: Span): readonly Span[] {
  return text.split('\n').map((content, index) => {
    const line = head.line + 1 + index;
    const col = Math.max(0, lines.line(line)?.indexOf(content) ?? 0) + 1;
    return { line, col, length: Math.max(1, content.length) };
  });
}
