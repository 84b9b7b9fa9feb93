import { byKey } from './compare.js';

/** A record of these entries, in the order of their keys. */
export function sortedRecord<V>(entries: Iterable<readonly [string, V]>): Readonly<Record<string, V>> {
  return Object.fromEntries([...entries].sort(byKey));
}

/** A record with one member for each member of `source`, in its order. */
export function mapRecord<K extends string, V, W>(
  source: Readonly<Record<K, V>>,
  make: (value: V, key: K) => W,
): Readonly<Record<K, W>> {
  // Object.entries forgets the key type of a record it was given whole.
  const entries = Object.entries(source) as [K, V][];
  return Object.fromEntries(entries.map(([key, value]) => [key, make(value, key)])) as Record<K, W>;
}

/** A record without the members of these names. */
export function without<V>(
  source: Readonly<Record<string, V>>,
  names: readonly string[],
): Readonly<Record<string, V>> {
  return Object.fromEntries(Object.entries(source).filter(([name]) => !names.includes(name)));
}
