import { isRecord } from '../../core/is-record.js';
import { isList } from '../../kube/fields.js';
import type { TextDetail } from './difference.js';
import { textChanges } from './text-changes.js';

/** A place in a value: names of fields, and `[name=core]` or `[0]` for items of a list. */
export type FieldPath = readonly string[];

/** A value that differs. */
export interface FieldChange {
  readonly path: FieldPath;
  readonly before: unknown;
  readonly after: unknown;
}

/** No value nests deeper; what does is told apart as a whole. */
const deepest = 64;

/** The innermost values that differ. Items of a list are told apart by their name where all have one, else by their place. */
export function fieldChanges(before: unknown, after: unknown, path: FieldPath = []): readonly FieldChange[] {
  if (before === after) return [];
  if (path.length <= deepest) {
    if (isRecord(before) && isRecord(after))
      return membersChanged(new Map(Object.entries(before)), new Map(Object.entries(after)), path);
    if (isList(before) && isList(after)) return listChanges(before, after, path);
  }
  return [{ path, before, after }];
}

/** Changes as they are told. */
export function fieldDetails(changes: readonly FieldChange[]): readonly TextDetail[] {
  return changes.flatMap(({ path, before, after }) =>
    textChanges(shownPath(path), shown(before), shown(after)),
  );
}

/** A path as a reader would write it: `spec.containers[name=etcd].image`. */
export function shownPath(path: FieldPath): string {
  return path
    .map((part) => (part.startsWith('[') ? part : `.${/^[\w-]+$/.test(part) ? part : JSON.stringify(part)}`))
    .join('')
    .replace(/^\./, '');
}

/** The value at a path, and how much of the path there is. */
export function deepestAt(value: unknown, path: FieldPath): FieldPath {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  const member = isList(value) ? itemsByLabel(value)?.get(first) : isRecord(value) ? value[first] : undefined;
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
  const [earlier, later] = [itemsByLabel(before), itemsByLabel(after)];
  if (earlier !== undefined && later !== undefined) return membersChanged(earlier, later, path);
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [{ path, before, after }];
}

const labels = ['name', 'path', 'key', 'source', 'mountPath', 'type', 'cidr'] as const;

/** Items of maps by the first field that tells them apart; undefined where none does. */
function itemsByLabel(items: readonly unknown[]): ReadonlyMap<string, unknown> | undefined {
  if (!items.every(isRecord)) return undefined;
  for (const label of labels) {
    const names = items.map((item) => item[label]);
    if (names.every((name) => typeof name === 'string') && new Set(names).size === names.length)
      return new Map(items.map((item, index) => [`[${label}=${names[index] ?? ''}]`, item]));
  }
  return new Map(items.map((item, index) => [`[${index}]`, item]));
}

/** A value as one text; lists of words stand one a line, so that lines tell what came and went. */
function shown(value: unknown): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (isList(value) && value.length > 0 && value.every((item) => typeof item === 'string'))
    return value.map((item) => `${item}\n`).join('');
  return JSON.stringify(value, undefined, isList(value) || isRecord(value) ? 2 : undefined);
}
