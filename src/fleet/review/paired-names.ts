/** Site names of two fleets. */
export interface PairedNames {
  /** In the order of the second fleet. */
  readonly both: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export function pairNames(before: readonly string[], after: readonly string[]): PairedNames {
  const [earlier, later] = [new Set(before), new Set(after)];
  return {
    both: after.filter((name) => earlier.has(name)),
    added: after.filter((name) => !earlier.has(name)),
    removed: before.filter((name) => !later.has(name)),
  };
}
