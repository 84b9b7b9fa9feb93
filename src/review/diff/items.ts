import { linesIn } from './line-changes.js';
import type { SourcedText } from '../explode.js';
import type { Item } from './item.js';
import { entriesOf, placeInTree, type IndexEntry } from './index-entries.js';
import { objectsIn, structureOf } from './objects-in.js';
import type { ReviewSide } from './review-side.js';
import { configItems } from './skeleton-items.js';

/** Everything on a side that has a name, in the order of the tree. */
export function itemsOf({ texts, templates }: ReviewSide): readonly Item[] {
  const byPath = new Map(texts.map((each) => [each.path, each]));
  const modes = new Map(texts.flatMap(outputModes));
  const constants = Object.entries(templates).map(([name, text]): Item => ({
    of: '',
    kind: 'template',
    name,
    facts: {},
    text,
  }));
  return [...texts.flatMap((text) => itemsAt(text, { byPath, modes })), ...constants];
}

interface Surroundings {
  readonly byPath: ReadonlyMap<string, SourcedText>;
  /** Of what lies beside configs, by path. */
  readonly modes: ReadonlyMap<string, OutputMode>;
}

interface OutputMode {
  /** The folder of the index that has the mode. */
  readonly folder: string;
  readonly name: string;
  readonly mode: string;
}

function itemsAt(text: SourcedText, { byPath, modes }: Surroundings): readonly Item[] {
  const { of, part, path } = placeInTree(text.path);
  switch (part) {
    case 'config':
      return configItems(text, of);
    case 'entries':
      return entriesOf(text.text).flatMap((entry) =>
        entryItems(entry, of, byPath.get(`${of}.d${entry.treePath}`)),
      );
    case 'entry':
      return [];
    case 'index':
      return of === '' ? [versionItem(text.text)] : [];
    case 'output': {
      const { folder = '', name = path, mode } = modes.get(path) ?? {};
      const facts = mode === undefined ? {} : { mode };
      return [{ of: folder, kind: 'output', name, facts, ...contents(path, text) }];
    }
  }
}

function entryItems(entry: IndexEntry, of: string, text: SourcedText | undefined): readonly Item[] {
  const { kind, name, facts, template } = entry;
  const item = { of, kind, name, facts, ...(template !== undefined && { template }) };
  if (text === undefined) return [item];
  const objects = objectsIn(entry.name, text);
  if (objects.length === 0) return [{ ...item, ...contents(entry.name, text) }];
  return [
    { ...item, isHeldByObjects: true },
    ...objects.map((object) => ({ of, kind: 'object' as const, facts: { file: entry.name }, ...object })),
  ];
}

function contents(
  path: string,
  { text, source }: SourcedText,
): Pick<Item, 'text' | 'source' | 'value' | 'sourceValue'> {
  const read = source === undefined ? undefined : Buffer.from(source).toString('latin1');
  const value = structureOf(path, text);
  const sourceValue =
    value === undefined || source === undefined
      ? undefined
      : structureOf(path, Buffer.from(source).toString('utf8'));
  return {
    text,
    ...(read !== undefined && { source: read }),
    ...(value !== undefined && { value }),
    ...(sourceValue !== undefined && { sourceValue }),
  };
}

/** The version that made the tree; the outermost index tells it for all. */
function versionItem(index: string): Item {
  const [mark = ''] = linesIn(index);
  const version = mark.split(' ').at(-1) ?? '';
  return { of: '', kind: 'sno-install', name: 'the version of sno-install', facts: { version } };
}

/** What the index of a tree says of the outputs, by their paths. */
function outputModes({ path, text }: SourcedText): readonly (readonly [string, OutputMode])[] {
  const { of: folder, part } = placeInTree(path);
  if (part !== 'index') return [];
  return linesIn(text).flatMap((line) => {
    const [, mode = '', name = ''] = /^(\d{4}) \S+ (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[folder === '' ? name : `${folder}/${name}`, { folder, name, mode }] as const];
  });
}
