import { isRecord } from '../../core/is-record.js';
import { omitKeys } from '../../core/map-record.js';
import { parseJson } from '../../formats/json.js';
import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { toData } from '../../formats/yaml/yaml-tree.js';
import { readYaml } from '../../formats/yaml/yaml.js';
import { listAt, textAt } from '../../kube/fields.js';
import type { SourcedText } from '../output-tree.js';
import { renderManifest } from '../render-manifest.js';
import { type IndexEntry, parseIndex, locateInTree } from './index-entries.js';
import type { Item } from './item.js';
import { linesIn } from './line-changes.js';
import type { ReviewSide } from './review-side.js';

/** Lists the named items of a side in the order of the tree. */
export function listItems({ texts, templates }: ReviewSide): readonly Item[] {
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

/** An object that is not part of a tree, with its secrets masked. */
export function objectItem(object: unknown): Item {
  const [shown] = documentsOf('object.yaml', renderManifest(writeYaml(object)));
  return { of: '', kind: 'object', name: nameOf(object) ?? '', facts: {}, value: shown, sourceValue: object };
}

interface Surroundings {
  readonly byPath: ReadonlyMap<string, SourcedText>;
  /** Modes of files outside of configs, by path. */
  readonly modes: ReadonlyMap<string, OutputMode>;
}

interface OutputMode {
  /** The folder of the index that lists the file. */
  readonly folder: string;
  readonly name: string;
  readonly mode: string;
}

function itemsAt(text: SourcedText, { byPath, modes }: Surroundings): readonly Item[] {
  const { of, part, path } = locateInTree(text.path);
  switch (part) {
    case 'config':
      return configItems(text, of);
    case 'entries':
      return parseIndex(text.text).flatMap((entry) =>
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

/** The version of sno-install that wrote the tree, from the outermost index. */
function versionItem(index: string): Item {
  const [mark = ''] = linesIn(index);
  const version = mark.split(' ').at(-1) ?? '';
  return { of: '', kind: 'sno-install', name: 'the version of sno-install', facts: { version } };
}

/** Reads the modes of outputs from the index of a tree. */
function outputModes({ path, text }: SourcedText): readonly (readonly [string, OutputMode])[] {
  const { of: folder, part } = locateInTree(path);
  if (part !== 'index') return [];
  return linesIn(text).flatMap((line) => {
    const [, mode = '', name = ''] = /^(\d{4}) \S+ (.*)$/.exec(line) ?? [];
    return name === '' ? [] : [[folder === '' ? name : `${folder}/${name}`, { folder, name, mode }] as const];
  });
}

/** A Kubernetes object in a text. */
interface NamedObject {
  /** `Kind namespace/name`, with the API group if there is one. */
  readonly name: string;
  readonly value: unknown;
  /** The unmasked object, if known. */
  readonly sourceValue?: unknown;
}

/** Returns the Kubernetes objects of a text. Returns an empty list if any document is something else. */
function objectsIn(path: string, { text, source }: SourcedText): readonly NamedObject[] {
  const documents = documentsOf(path, text).filter((each) => each !== null);
  const names = documents.map(nameOf);
  if (names.length === 0 || names.includes(undefined) || new Set(names).size < names.length) return [];
  const sources =
    source === undefined
      ? []
      : documentsOf(path, Buffer.from(source).toString('utf8')).filter((each) => each !== null);
  return documents.map((value, index) => {
    const sourceValue = sources.length === documents.length ? sources[index] : undefined;
    return { name: names[index] ?? '', value, ...(sourceValue !== undefined && { sourceValue }) };
  });
}

/** Parses a text that is a single map or list. */
function structureOf(path: string, text: string): unknown {
  const [value, ...others] = documentsOf(path, text);
  return others.length === 0 && typeof value === 'object' && value !== null ? value : undefined;
}

function documentsOf(path: string, text: string): readonly unknown[] {
  if (/^\s*[{[]/.test(text) && !/\.ya?ml$/.test(path)) {
    const value = parseJson(text);
    return value === undefined ? [] : [value];
  }
  if (!/\.ya?ml$|kubeconfig[^/]*$/.test(path)) return [];
  const { documents, faults } = readYaml(text, { readsAmbiguousKeys: true });
  return faults.length > 0 ? [] : documents.map((document) => toData(document));
}

function nameOf(object: unknown): string | undefined {
  const [apiVersion, kind, name] = [['apiVersion'], ['kind'], ['metadata', 'name']].map((at) =>
    textAt(object, at),
  );
  if (!isRecord(object) || apiVersion === undefined || kind === undefined || name === undefined)
    return undefined;
  const namespace = textAt(object, ['metadata', 'namespace']);
  const group = apiVersion.includes('/') ? ` (${apiVersion.replace(/\/.*/, '')})` : '';
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}${group}`;
}

/** Splits a config without its files into one item per user and one for everything else. */
function configItems({ text, config }: SourcedText, of: string): readonly Item[] {
  const value = parseJson(text);
  const users = usersIn(value);
  const sources = new Map(usersIn(config));
  return [
    {
      of,
      kind: 'config',
      name: 'settings',
      facts: {},
      value: withoutUsers(value),
      ...(config && { sourceValue: withoutUsers(config) }),
    },
    ...users.map(([name, user]): Item => {
      const sourceValue = sources.get(name);
      return {
        of,
        kind: 'user',
        name,
        facts: {},
        value: user,
        ...(sourceValue !== undefined && { sourceValue }),
      };
    }),
  ];
}

function usersIn(config: unknown): readonly (readonly [string, unknown])[] {
  return listAt(config, ['passwd', 'users']).map((user) => [
    textAt(user, ['name']) ?? 'without a name',
    user,
  ]);
}

function withoutUsers(config: unknown): unknown {
  if (!isRecord(config) || !isRecord(config['passwd'])) return config;
  return { ...config, passwd: omitKeys(config['passwd'], ['users']) };
}
