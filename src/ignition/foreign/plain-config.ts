import { isRecord } from '../../core/is-record.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';

/** An entry of a list in a config that others wrote, with where it stands. */
export interface FoundEntry {
  readonly path: FieldPath;
  readonly entry: Readonly<Record<string, unknown>>;
}

/** The value at a path, or undefined where there is none. */
export function valueAt(value: unknown, path: FieldPath): unknown {
  return path.reduce<unknown>((found, step) => {
    if (isList(found)) return typeof step === 'number' ? found[step] : undefined;
    return isRecord(found) && Object.hasOwn(found, step) ? found[step] : undefined;
  }, value);
}

/** The maps of the list at a path; what else stands in it is the schema's to refuse. */
export function entriesAt(config: unknown, path: FieldPath): readonly FoundEntry[] {
  const list = valueAt(config, path);
  if (!isList(list)) return [];
  return list.flatMap((entry, index) => (isRecord(entry) ? [{ path: [...path, index], entry }] : []));
}

/** No field of any spec stands deeper: what does is unknown, whatever it holds. */
const deepest = 12;

/** The same without members that are null, which Ignition takes for left out. */
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
