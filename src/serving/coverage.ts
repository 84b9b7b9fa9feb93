import type { Stretch } from '../media/disk-image.js';

/** Which stretches of a file have been given out, whatever the order: apart from one another, in order. */
export type Coverage = readonly Stretch[];

/**
 * The same with another stretch, which takes up those that it meets. Where they begin is looked for by halves: whoever reads here and there
 * leaves thousands.
 */
export function covering(coverage: Coverage, { offset, length }: Stretch): Coverage {
  let [from, to] = [offset, offset + length];
  const first = firstEndingAt(coverage, from);
  let next = first;
  for (let met = coverage[next]; met !== undefined && met.offset <= to; met = coverage[next]) {
    [from, to] = [Math.min(from, met.offset), Math.max(to, endOf(met))];
    next += 1;
  }
  return coverage.toSpliced(first, next - first, { offset: from, length: to - from });
}

/** Which is the first that ends at a byte or behind it; as many as there are where none does. */
function firstEndingAt(coverage: Coverage, byte: number): number {
  let [low, high] = [0, coverage.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const stretch = coverage[middle];
    if (stretch !== undefined && endOf(stretch) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endOf({ offset, length }: Stretch): number {
  return offset + length;
}

/** How many bytes were given out at least once. */
export function coveredBytes(coverage: Coverage): number {
  return coverage.reduce((sum, { length }) => sum + length, 0);
}

/** What of it lies before a byte. */
export function clipped(coverage: Coverage, end: number): Coverage {
  return coverage
    .filter(({ offset }) => offset < end)
    .map(({ offset, length }) => ({ offset, length: Math.min(length, end - offset) }));
}
