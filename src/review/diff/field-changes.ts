import { isRecord } from '../../core/is-record.js';
import { isList } from '../../kube/fields.js';
import type { TextDetail } from './difference.js';
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
export function fieldChanges(before: unknown, after: unknown, path: FieldPath = []): readonly FieldChange[] {
  if (before === after) return [];
  if (path.length <= deepest) {
    if (isRecord(before) && isRecord(after))
      return membersChanged(new Map(Object.entries(before)), new Map(Object.entries(after)), path);
    if (isList(before) && isList(after)) return listChanges(before, after, path);
  }
  return [{ path, before, after }];
}

export function fieldDetails(changes: readonly FieldChange[]): readonly TextDetail[] {
  return changes.flatMap(({ path, before, after }) =>
    textChanges(shownPath(path), shown(before), shown(after)),
  );
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

function membersChanged(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  path: FieldPath,
): readonly FieldChange[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.flatMap((name) => fieldChanges(before.get(name), after.get(name), [...path, name]));
}

function listChanges(
  before: readonly unknown[],
  after: readonly unknown[],
  path: FieldPath,
): readonly FieldChange[] {
  for (const labelOf of labelings) {
    const [earlier, later] = [itemsByLabel(before, labelOf), itemsByLabel(after, labelOf)];
    if (earlier !== undefined && later !== undefined)
      return [...orderChange(earlier, later, path), ...membersChanged(earlier, later, path)];
  }
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

/** The order of items that both lists have. */
function orderChange(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
  path: FieldPath,
): readonly FieldChange[] {
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
function itemsByLabel(items: readonly unknown[], labelOf: LabelOf): ReadonlyMap<string, unknown> | undefined {
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
