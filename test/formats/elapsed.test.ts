import { expect, it } from 'vitest';

import { elapsedText } from '../../src/formats/elapsed.js';

it.each([
  { ms: 0, want: '0 s' },
  { ms: 999, want: '0 s' },
  { ms: 59_999, want: '59 s' },
  { ms: 60_000, want: '1 min' },
  { ms: 185_000, want: '3 min 5 s' },
  { ms: 3_600_000, want: '1 h' },
  { ms: 3_900_999, want: '1 h 5 min' },
  { ms: 90_061_000, want: '25 h 1 min' },
])('$ms ms are $want', ({ ms, want }) => {
  expect(elapsedText(ms)).toBe(want);
});
