import { isRecord } from '../core/is-record.js';

/** The value at a path of plain data; undefined if there is none. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

/** The string at a path; undefined if it is empty or not a string. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = fieldAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The items of the list at a path; empty if there is no list. */
export function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, path);
  return isList(found) ? found : [];
}

export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
