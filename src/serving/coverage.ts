import type { Stretch } from '../media/disk-image.js';

/** Which stretches of a file have been given out, whatever the order: apart from one another, in order. */
export type Coverage = readonly Stretch[];

/** The same with another stretch. */
export function covering(coverage: Coverage, { offset, length }: Stretch): Coverage {
  let [from, to] = [offset, offset + length];
  const apart = coverage.filter((each) => {
    const end = each.offset + each.length;
    if (each.offset > to || end < from) return true;
    [from, to] = [Math.min(from, each.offset), Math.max(to, end)];
    return false;
  });
  return [...apart, { offset: from, length: to - from }].toSorted(
    (left, right) => left.offset - right.offset,
  );
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
