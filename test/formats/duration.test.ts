import { expect, test } from 'vitest';

import { parseDuration } from '../../src/formats/duration.js';

test.each([
  { given: '720h', want: 720 * 3600 },
  { given: '30d', want: 30 * 86_400 },
  { given: '10y', want: 3650 * 86_400 },
  { given: '1h30m', want: 5400 },
  { given: '1d12h', want: 36 * 3600 },
  { given: '45s', want: 45 },
  { given: '0s', want: 0 },
  { given: '', want: undefined },
  { given: '30', want: undefined },
  { given: 'h', want: undefined },
  { given: '-1h', want: undefined },
  { given: '1.5h', want: undefined },
  { given: '30m1h', want: undefined },
  { given: '1 h', want: undefined },
  { given: '30D', want: undefined },
  { given: '1ms', want: undefined },
])('parseDuration("$given") returns $want', ({ given, want }) => {
  expect(parseDuration(given)).toBe(want);
});
