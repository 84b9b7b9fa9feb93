import { byKey } from './compare.js';

/** A record of the entries, sorted by key. */
export function sortedRecord<V>(entries: Iterable<readonly [string, V]>): Readonly<Record<string, V>> {
  return Object.fromEntries([...entries].sort(byKey));
}

/** Maps each value of a record and keeps the order of the keys. */
export function mapRecord<K extends string, V, W>(
  source: Readonly<Record<K, V>>,
  make: (value: V, key: K) => W,
): Readonly<Record<K, W>> {
  // Object.entries widens the keys to string.
  const entries = Object.entries(source) as [K, V][];
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<K, W>;
}

/** Copies the entries whose key passes. */
export function pickKeys<V>(
  source: Readonly<Record<string, V>>,
  isPicked: (name: string) => boolean,
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => isPicked(name)));
}

/** Copies a record without the given keys. */
export function omitKeys<V>(
  source: Readonly<Record<string, V>>,
  names: readonly string[],
): Readonly<Record<string, V>> {
  return pickKeys(source, (name) => !names.includes(name));
}
