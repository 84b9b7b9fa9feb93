import { isRecord } from '../core/is-record.js';

/** The value at a path of plain data, or undefined where there is none. */
export function fieldAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => (isRecord(found) ? found[key] : undefined), value);
}

/** The text at a path, when it is one and not empty. */
export function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = fieldAt(value, path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The items of the list at a path; none when there is no list. */
export function listAt(value: unknown, path: readonly string[]): readonly unknown[] {
  const found = fieldAt(value, path);
  return isList(found) ? found : [];
}

/** Whether a value is a list. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
