/** Compares by UTF-16 code unit, which does not depend on the locale. Every list that reaches an output is sorted with it. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return byCodeUnit(left.path, right.path);
}

export function byName(left: { readonly name: string }, right: { readonly name: string }): number {
  return byCodeUnit(left.name, right.name);
}

/** Compares entries of a record or map by key. */
export function byKey(
  [left]: readonly [string, ...unknown[]],
  [right]: readonly [string, ...unknown[]],
): number {
  return byCodeUnit(left, right);
}
