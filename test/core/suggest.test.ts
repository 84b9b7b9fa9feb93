import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { closest, editDistance } from '../../src/core/suggest.js';

const fields = ['networking', 'networkType', 'bootstrapInPlace', 'fips', 'proxy', 'sshKey'];

test.each([
  { given: 'networkng', want: 'networking' },
  { given: 'NETWORKING', want: 'networking' },
  { given: 'newtorking', want: 'networking' },
  { given: 'bootstrapinplace', want: 'bootstrapInPlace' },
  { given: 'fisp', want: 'fips' },
  { given: 'ssh-key', want: 'sshKey' },
  { given: 'colour', want: undefined },
  { given: '', want: undefined },
  { given: 'fip', want: 'fips' },
  { given: 'fi', want: undefined },
  { given: 'bootstrapInPla', want: 'bootstrapInPlace' },
  { given: 'prox', want: 'proxy' },
])('closest("$given") returns $want', ({ given, want }) => {
  expect(closest(given, fields)).toBe(want);
});

describe('editDistance', () => {
  test.each([
    { left: '', right: 'abc', want: 3 },
    { left: 'abc', right: 'abc', want: 0 },
    { left: 'abc', right: 'acb', want: 1 },
    { left: 'abcd', right: 'acd', want: 1 },
    { left: 'kitten', right: 'sitting', want: 3 },
    { left: 'ab', right: 'ba', want: 1 },
    { left: 'abc', right: 'bca', want: 2 },
    { left: 'abab', right: 'baba', want: 2 },
    { left: 'ba', right: 'aab', want: 2 },
  ])('returns $want for "$left" and "$right"', ({ left, right, want }) => {
    expect(editDistance(left, right)).toBe(want);
  });

  test('is the same both ways, none only for equal words, and at most the longer length', () => {
    const word = fc.stringMatching(/^[abc]{0,6}$/);
    fc.assert(
      fc.property(word, word, (left, right) => {
        const distance = editDistance(left, right);
        expect(distance).toBe(editDistance(right, left));
        expect(distance === 0).toBe(left === right);
        expect(distance).toBeLessThanOrEqual(Math.max(left.length, right.length));
      }),
    );
  });
});
