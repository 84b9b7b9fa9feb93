import type { Stretch } from '../../media/disk-image.js';

/** What a request asks for of a file. */
export type RangeWish =
  | { readonly kind: 'whole' }
  /** In the order in which they were asked for. */
  | { readonly kind: 'stretches'; readonly stretches: readonly Stretch[] }
  | { readonly kind: 'unsatisfiable' };

/** More stretches than this in one request, or such as overlap, serve nobody but who wants to keep a server busy (RFC 9110 §14.2). */
const maxStretches = 16;

/**
 * What a `Range` header asks for of a file of so many bytes. A header that cannot be read, of another unit, or that asks for the same
 * bytes several times is passed over, and the whole file meant. Source: RFC 9110 §14.1.2 and §14.2
 */
export function rangeWish(header: string | undefined, bytes: number): RangeWish {
  const [, list] = /^bytes=(.*)$/i.exec(header?.trim() ?? '') ?? [];
  if (list === undefined) return { kind: 'whole' };
  const specs = list
    .split(',')
    .map((spec) => spec.trim())
    .filter((spec) => spec !== '');
  const asked = specs.map((spec) => askedStretch(spec, bytes));
  if (asked.length === 0 || asked.includes('unreadable')) return { kind: 'whole' };
  const stretches = asked.filter((each) => typeof each === 'object');
  if (stretches.length === 0) return { kind: 'unsatisfiable' };
  return stretches.length > maxStretches || areOverlapping(stretches)
    ? { kind: 'whole' }
    : { kind: 'stretches', stretches };
}

function askedStretch(spec: string, bytes: number): Stretch | 'beyond' | 'unreadable' {
  // A number beyond all files is rounded, and stands beyond this one all the same.
  const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'unreadable';
  if (first === '') {
    const length = Math.min(Number(last), bytes);
    return length === 0 ? 'beyond' : { offset: bytes - length, length };
  }
  const [from, to] = [Number(first), last === '' ? bytes - 1 : Number(last)];
  if (last !== '' && to < from) return 'unreadable';
  return from >= bytes ? 'beyond' : { offset: from, length: Math.min(to, bytes - 1) - from + 1 };
}

function areOverlapping(stretches: readonly Stretch[]): boolean {
  const sorted = stretches.toSorted((left, right) => left.offset - right.offset);
  return sorted.some(({ offset }, index) => {
    const before = sorted[index - 1];
    return before !== undefined && before.offset + before.length > offset;
  });
}
