import { describe, expect, test } from 'vitest';

import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';

test.each([
  { name: 'a line separator', given: '\u2028a', want: 'a: "\\u2028a"\n' },
  { name: 'a byte order mark', given: '\ufeff-----BEGIN', want: 'a: "\\ufeff-----BEGIN"\n' },
  { name: 'a next line in several lines', given: 'a\u0085\nb\n', want: 'a: "a\\u0085\\nb\\n"\n' },
  { name: 'lines that begin with a blank', given: ' \nb', want: 'a: "\\ \\nb"\n' },
  { name: 'other letters', given: 'Zürich 😀\nb\n', want: 'a: |\n  Zürich 😀\n  b\n' },
])('writeYaml of $name', ({ given, want }) => {
  expect(writeYaml({ a: given })).toBe(want);
});

describe('half of a surrogate pair', () => {
  test.each([
    { name: 'in a value', given: 'a: x\nb: "\\ud800"\n', line: 2 },
    { name: 'in a key', given: '"\\udc00": x\n', line: 1 },
    { name: 'in a list', given: 'a:\n- b\n- "x\\ud83d"\n', line: 3 },
  ])('is refused where it stands: $name', ({ given, line }) => {
    const { documents, faults } = readYaml(given);
    expect(documents).toEqual([]);
    expect(faults.map(({ kind, span }) => ({ kind, line: span.line }))).toEqual([{ kind: 'syntax', line }]);
  });

  test('is none beside the other half', () => {
    expect(readYaml('a: "\\ud83d\\ude00"\n').faults).toEqual([]);
  });
});
