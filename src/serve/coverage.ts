import type { Stretch } from '../formats/disk-image.js';

/** The stretches of a file that were given out: sorted, with gaps between them. */
export type Coverage = readonly Stretch[];

/** Ranges of one byte, here and there, would otherwise fill the memory. A machine that reads an ISO leaves a few dozen gaps. */
const mostStretches = 1024;

/**
 * The coverage with one more stretch, merged with those that it meets. Beyond the limit the shortest stretch is forgotten: less is reported
 * than was given out, never more.
 */
export function covering(coverage: Coverage, { offset, length }: Stretch): Coverage {
  let [from, to] = [offset, offset + length];
  const first = firstEndingAt(coverage, from);
  let next = first;
  for (let met = coverage[next]; met !== undefined && met.offset <= to; met = coverage[next]) {
    [from, to] = [Math.min(from, met.offset), Math.max(to, endOf(met))];
    next += 1;
  }
  return withoutShortest(coverage.toSpliced(first, next - first, { offset: from, length: to - from }));
}

function withoutShortest(coverage: Coverage): Coverage {
  if (coverage.length <= mostStretches) return coverage;
  const least = Math.min(...coverage.map(({ length }) => length));
  return coverage.toSpliced(
    coverage.findIndex(({ length }) => length === least),
    1,
  );
}

/** All stretches of several coverages, merged. */
export function united(coverages: readonly Coverage[]): Coverage {
  const merged: Stretch[] = [];
  for (const { offset, length } of coverages.flat().toSorted((one, other) => one.offset - other.offset)) {
    const last = merged.at(-1);
    if (last === undefined || endOf(last) < offset) merged.push({ offset, length });
    else merged.splice(-1, 1, { ...last, length: Math.max(endOf(last), offset + length) - last.offset });
  }
  return merged;
}

/** The index of the first stretch that ends at or after a byte; the number of stretches if none does. */
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

/** The number of bytes that were given out at least once. */
export function coveredBytes(coverage: Coverage): number {
  return coverage.reduce((sum, { length }) => sum + length, 0);
}

/** The part of a coverage before a byte. */
export function clipped(coverage: Coverage, end: number): Coverage {
  return coverage
    .filter(({ offset }) => offset < end)
    .map(({ offset, length }) => ({ offset, length: Math.min(length, end - offset) }));
}
