import { describe, expect, it, test } from 'vitest';

import { shownLine } from '../../src/analysis/redact.js';
import { plainLines, secretLines } from '../support/secret-lines.js';
import { seededRsaKey } from '../support/seeded-keys.js';

const key = seededRsaKey('analysis canary', 2048);
const body = key.split('\n')[5] ?? 'none';

describe('a line that is shown', () => {
  test.each([...secretLines, { name: 'a line of a key', line: body, secret: body }])(
    'contains no secret: $name',
    ({ line, secret }) => {
      expect(line).toContain(secret);
      expect(shownLine(line)).not.toContain(secret);
    },
  );

  test.each(plainLines)('is unchanged without a secret: %s', (line) => {
    expect(shownLine(line)).toBe(line);
  });

  it('contains no control characters and has a limited length', () => {
    expect(shownLine('\u001b[31mred\u001b[0m\r\n\u202e')).toBe('·[31mred·[0m···');
    expect(shownLine('x '.repeat(1000))).toHaveLength(1000 + '… (1000 characters left out) …'.length);
  });
});
