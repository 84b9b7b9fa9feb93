import { describe, expect, test } from 'vitest';

import { quoted, quotedName } from '../../src/core/quoted.js';
import { secretLines } from '../support/secret-lines.js';

describe('quoted', () => {
  test.each([
    { given: 'v2', want: '"v2"' },
    { given: 'a\n"b"', want: String.raw`"a\n\"b\""` },
    { given: 'x'.repeat(61), want: `"${'x'.repeat(60)}…"` },
    { given: `quay.io/a@sha256:${'0'.repeat(8)}`, want: '"quay.io/a@sha256:00000000"' },
    { given: 'https://registry.example.com:5000/a', want: '"https://registry.example.com:5000/a"' },
    { given: 'https://user:codeword@registry.example.com', want: '"…"' },
    { given: 'https://user:codeword', want: '"…"' },
    { given: 'user:codeword@registry.example.com', want: '"…"' },
    { given: '{"auths":{}}', want: '"…"' },
    { given: '-----BEGIN PRIVATE KEY-----', want: '"…"' },
  ])('$given', ({ given, want }) => {
    expect(quoted(given)).toBe(want);
  });
});

test.each([
  { given: 'networkng', want: '"networkng"' },
  { given: 'workload.openshift.io/allowed', want: '"workload.openshift.io/allowed"' },
  { given: 'a b', want: '"…"' },
  { given: 'user:codeword', want: '"…"' },
  { given: '', want: '"…"' },
])('quotedName of "$given"', ({ given, want }) => {
  expect(quotedName(given)).toBe(want);
});

test.each(secretLines)('no part of a line of the corpus is repeated: $name', ({ line }) => {
  expect(quoted(line)).toBe('"…"');
});
