import { isRecord } from '../../core/is-record.js';
import { isList } from '../../kube/fields.js';
import type { TextDetail } from './difference.js';
import type { Item } from './item.js';
import { wholeText } from './line-changes.js';
import { findRenames } from './renames.js';
import { textChanges } from './text-changes.js';

/** A path in a value: field names, and `[name=core]` or `[0]` for list items. */
export type FieldPath = readonly string[];

export interface FieldChange {
  readonly path: FieldPath;
  readonly before: unknown;
  readonly after: unknown;
}

/** Values below this depth are compared as a whole. */
const deepest = 64;

/**
 * Returns the innermost values that differ. Matches list items by identity or a key such as `name` if all have it, otherwise by index.
 * Another order of matched items is one change of the list, at `[order]`.
 */
export function fieldChanges(
  before: unknown,
  after: unknown,
  { path = [], renamesIn = similarFiles }: Partial<Position> = {},
): readonly FieldChange[] {
  if (before === after) return [];
  const at = { path, renamesIn };
  if (path.length <= deepest) {
    if (isRecord(before) && isRecord(after))
      return membersChanged(new Map(Object.entries(before)), new Map(Object.entries(after)), at);
    if (isList(before) && isList(after)) return listChanges(before, after, at);
  }
  return [{ path, before, after }];
}

interface Position {
  readonly path: FieldPath;
  readonly renamesIn: RenamesIn;
}

type Labelled = ReadonlyMap<string, unknown>;

/** Finds the earlier label of each renamed item of a list. */
type RenamesIn = (before: Labelled, after: Labelled) => ReadonlyMap<string, string>;

/** Files with another path and equal or mostly equal contents, such as in a MachineConfig. */
const similarFiles: RenamesIn = (before, after) => {
  const [removed, added] = [filesOnlyIn(before, after), filesOnlyIn(after, before)];
  const renames = findRenames(removed, added);
  return new Map([...renames].map(([earlier, later]) => [later.name, earlier.name]));
};

/** The renames that other changes contain. Their masked and unmasked contents are paired in the same way. */
export function renamesOf(changes: readonly FieldChange[]): RenamesIn {
  const known = new Map(
    changes
      .filter(({ path, after }) => path.at(-1) === 'path' && path.at(-2) === fileLabel(after))
      .map(({ before, after }) => [fileLabel(after), fileLabel(before)] as const),
  );
  return (before, after) =>
    new Map([...known].filter(([label, earlier]) => after.has(label) && before.has(earlier)));
}

function fileLabel(path: unknown): string {
  return `[path=${String(path)}]`;
}

function filesOnlyIn(items: Labelled, others: Labelled): readonly Item[] {
  return [...items]
    .filter(([label]) => label.startsWith('[path=') && !others.has(label))
    .flatMap(([name, file]): readonly Item[] => {
      const source = isRecord(file) && isRecord(file['contents']) ? file['contents']['source'] : undefined;
      return typeof source === 'string'
        ? [{ of: '', kind: 'file', name, facts: {}, text: embeddedText(source) ?? source }]
        : [];
    });
}

export function fieldDetails(changes: readonly FieldChange[]): readonly TextDetail[] {
  return changes.flatMap(({ path, before, after }) => {
    const [earlier, later] = [before, after].map(embeddedText);
    if (earlier !== undefined && later !== undefined) return textChanges(shownPath(path), earlier, later);
    if (before !== undefined && after !== undefined)
      return textChanges(shownPath(path), shown(before), shown(after));
    const [one, other] = [before, after].map((value) => splitTexts(value, path));
    return [
      ...textChanges(shownPath(path), shown(one?.value), shown(other?.value)),
      ...textDetails(one?.texts ?? [], '-'),
      ...textDetails(other?.texts ?? [], '+'),
    ];
  });
}

/** A text of several lines that a value contains as a data URL. */
export interface EmbeddedText {
  readonly path: FieldPath;
  readonly text: string;
}

/** Separates the embedded texts of several lines from a value, so that they are shown by lines. */
export function splitTexts(
  value: unknown,
  path: FieldPath = [],
): { readonly value: unknown; readonly texts: readonly EmbeddedText[] } {
  const text = embeddedText(value);
  if (text?.trimEnd().includes('\n') === true) return { value: '<text below>', texts: [{ path, text }] };
  if (!isRecord(value) && !isList(value)) return { value, texts: [] };
  const labels = isList(value) ? labelsOf(value) : Object.keys(value);
  const split = Object.values(value).map((member, index) =>
    splitTexts(member, [...path, labels[index] ?? '']),
  );
  const members = split.map((member) => member.value);
  return {
    value: isList(value) ? members : Object.fromEntries(labels.map((name, index) => [name, members[index]])),
    texts: split.flatMap(({ texts }) => texts),
  };
}

export function textDetails(texts: readonly EmbeddedText[], sign: '-' | '+'): readonly TextDetail[] {
  return texts.map(({ path, text }) => ({ what: shownPath(path), hunks: wholeText(text, sign) }));
}

/** The text of a data URL as `shownDataUrl` renders it. */
function embeddedText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return /^<data:(?:\n| )([\s\S]*)>$/.exec(value)?.[1];
}

function labelsOf(items: readonly unknown[]): readonly string[] {
  const found = labelings.map((labelOf) => itemsByLabel(items, labelOf)).find((each) => each !== undefined);
  return found === undefined ? items.map((_, index) => `[${index}]`) : [...found.keys()];
}

/** Formats a path: `spec.containers[name=etcd].image`. */
export function shownPath(path: FieldPath): string {
  return path
    .map((part) => (part.startsWith('[') ? part : `.${/^[\w-]+$/.test(part) ? part : JSON.stringify(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** Returns the longest prefix of the path that exists in the value. */
export function deepestAt(value: unknown, path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  const member = isList(value) ? itemAt(value, first) : isRecord(value) ? value[first] : undefined;
  return member === undefined ? [] : [first, ...deepestAt(member, rest)];
}

function membersChanged(before: Labelled, after: Labelled, at: Position): readonly FieldChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) =>
    fieldChanges(before.get(name), after.get(name), { ...at, path: [...at.path, name] }),
  );
}

function listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  at: Position,
): readonly FieldChange[] {
  const { path, renamesIn } = at;
  for (const labelOf of labelings) {
    const [given, later] = [itemsByLabel(before, labelOf), itemsByLabel(after, labelOf)];
    if (given === undefined || later === undefined) continue;
    const renames = new Map([...renamesIn(given, later)].map(([name, earlier]) => [earlier, name]));
    const earlier = new Map([...given].map(([label, item]) => [renames.get(label) ?? label, item]));
    return [...orderChange(earlier, later, path), ...membersChanged(earlier, later, at)];
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** The order of items that both lists have. */
function orderChange(before: Labelled, after: Labelled, path: FieldPath): readonly FieldChange[] {
  const earlier = [...before.keys()].filter((label) => after.has(label));
  const later = [...after.keys()].filter((label) => before.has(label));
  if (earlier.every((label, index) => label === later[index])) return [];
  const [from, to] = [earlier, later].map((labels) => labels.map((label) => label.slice(1, -1)));
  return [{ path: [...path, '[order]'], before: from, after: to }];
}

type LabelOf = (item: Readonly<Record<string, unknown>>, index: number) => string | undefined;

/** Together they identify an object in a list of several kinds, such as the overrides of a ClusterVersion. */
const identity = ['kind', 'group', 'apiGroup', 'resource', 'namespace', 'name'] as const;

/** Ways to label list items, best first. Both sides of a comparison use the same one. */
const labelings: readonly LabelOf[] = [
  (item) => (isObjectReference(item) ? identityOf(item) : undefined),
  ...(['name', 'path', 'key', 'source', 'mountPath', 'type', 'cidr'] as const).map(
    (key): LabelOf =>
      ({ [key]: value }) =>
        typeof value === 'string' ? `[${key}=${value}]` : undefined,
  ),
  identityOf,
  (_, index) => `[${index}]`,
];

function isObjectReference({ kind, resource, name }: Readonly<Record<string, unknown>>): boolean {
  return (typeof kind === 'string' || typeof resource === 'string') && typeof name === 'string';
}

function identityOf(item: Readonly<Record<string, unknown>>): string | undefined {
  const parts = identity.flatMap((key) => (typeof item[key] === 'string' ? [`${key}=${item[key]}`] : []));
  return parts.length === 0 ? undefined : `[${parts.join(',')}]`;
}

/** Returns undefined if an item is not a map, has no label, or has a duplicate label. */
function itemsByLabel(items: readonly unknown[], labelOf: LabelOf): Labelled | undefined {
  if (!items.every(isRecord)) return undefined;
  const byLabel = new Map<string, unknown>();
  for (const [index, item] of items.entries()) {
    const label = labelOf(item, index);
    if (label === undefined || byLabel.has(label)) return undefined;
    byLabel.set(label, item);
  }
  return byLabel;
}

/** Finds a list item by a label of any kind. */
function itemAt(items: readonly unknown[], label: string): unknown {
  return labelings
    .map((labelOf) => itemsByLabel(items, labelOf)?.get(label))
    .find((item) => item !== undefined);
}

/** Formats a value as text. A list of strings gets one item per line, so that a line diff shows additions and removals. */
function shown(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (isList(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.map((item) => `${item}\n`).join('');
  return JSON.stringify(value, undefined, isList(value) || isRecord(value) ? 2 : undefined);
}
