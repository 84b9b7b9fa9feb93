/** Selects `count` items spread irregularly over a list: steps of the golden ratio cover every kind of a periodic list. */
export function spread<T>(list: readonly T[], count: number): readonly T[] {
  const indexes = Array.from({ length: Math.min(count, list.length) }, (_, step) =>
    count >= list.length ? step : Math.floor(((step * 0.618_033_988_749_895) % 1) * list.length),
  );
  return [...new Set(indexes)].flatMap((index) => list.slice(index, index + 1));
}
