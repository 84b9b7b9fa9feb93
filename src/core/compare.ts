/** Order by code unit, the same on every machine and locale: every list that reaches an output is sorted with it. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The same of what has a path. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return byCodeUnit(left.path, right.path);
}

/** The same of what has a name. */
export function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return byCodeUnit(left.name, right.name);
}

/** The same of entries of a record or a map, by their keys. */
export function byKey(
  [left]: readonly [string, ...unknown[]],
  [right]: readonly [string, ...unknown[]],
): number {
  return byCodeUnit(left, right);
}
