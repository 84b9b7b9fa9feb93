import { isRecord } from '../../core/is-record.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** A list entry of a config and its path. */
export interface FoundEntry {
  readonly path: FieldPath;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The value at a path; undefined if there is none. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((found, step) => {
    if (isList(found)) return typeof step === 'number' ? found[step] : undefined;
    return isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }, value);
}

/** The objects in the list at a path; the schema rejects other items. */
export function entriesAt(config: unknown, path: FieldPath): readonly FoundEntry[] {
  const list = valueAt(config, path);
  if (!isList(list)) return [];
  return list.flatMap((entry, index) => (isRecord(entry) ? [{ path: [...path, index], entry }] : []));
}

/** The text of an entry of storage.files; undefined where it is fetched, compressed or cannot be decoded. */
export function fileText(file: unknown): string | undefined {
  const source = valueAt(file, ['contents', 'source']);
  const compression = valueAt(file, ['contents', 'compression']);
  if (typeof source !== 'string' || source === '') return '';
  if (typeof compression === 'string' && compression !== '') return undefined;
  return decodeDataUrl(source)?.toString('utf8');
}

/** Maximum depth of fields in every spec; anything deeper is unknown. */
const deepest = 12;

/** Removes null members, which Ignition treats as absent. */
export function withoutNulls(value: unknown, depth = 0): unknown {
  if (depth > deepest) return value;
  if (isList(value)) return value.map((item) => withoutNulls(item, depth + 1));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member, depth + 1)]));
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
