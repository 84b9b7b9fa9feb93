import type { ByteRange } from '../formats/disk-image.js';

/** The byte ranges of a file sent so far: sorted and not adjacent. */
export type Coverage = readonly ByteRange[];

/**
 * Bounds the memory that a client can use with scattered one-byte ranges. A machine that reads an ISO leaves a few dozen gaps.
 */
const mostStretches = 1024;

/**
 * Adds a range and merges it with ranges that it touches. Beyond the limit, drops the shortest range: the result can understate
 * the bytes sent, never overstate them.
 */
export function addRange(coverage: Coverage, { offset, length }: ByteRange): Coverage {
  let [from, to] = [offset, offset + length];
  const first = firstReaching(coverage, from);
  let next = first;
  for (
    let overlap = coverage[next];
    overlap !== undefined && overlap.offset <= to;
    overlap = coverage[next]
  ) {
    [from, to] = [Math.min(from, overlap.offset), Math.max(to, endOf(overlap))];
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

/** Merges several coverages. */
export function mergeCoverages(coverages: readonly Coverage[]): Coverage {
  const merged: ByteRange[] = [];
  for (const { offset, length } of coverages.flat().toSorted((one, other) => one.offset - other.offset)) {
    const last = merged.at(-1);
    if (last === undefined || endOf(last) < offset) merged.push({ offset, length });
    else merged.splice(-1, 1, { ...last, length: Math.max(endOf(last), offset + length) - last.offset });
  }
  return merged;
}

/** Returns the index of the first range that ends at or after a byte, or the length of the array if there is none. */
function firstReaching(coverage: Coverage, byte: number): number {
  let [low, high] = [0, coverage.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const stretch = coverage[middle];
    if (stretch !== undefined && endOf(stretch) < byte) low = middle + 1;
    else high = middle;
  }
  return low;
}

function endOf({ offset, length }: ByteRange): number {
  return offset + length;
}

/** Returns the number of bytes sent at least once. */
export function coveredBytes(coverage: Coverage): number {
  return coverage.reduce((sum, { length }) => sum + length, 0);
}

/** Returns the part of a coverage before byte `end`. */
export function clipCoverage(coverage: Coverage, end: number): Coverage {
  return coverage
    .filter(({ offset }) => offset < end)
    .map(({ offset, length }) => ({ offset, length: Math.min(length, end - offset) }));
}
