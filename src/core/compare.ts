/** Order by code unit, the same on every machine and locale: every list that reaches an output is sorted with it. */
export function byCodeUnit(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
