import { inspect } from 'node:util';

import { expect, test } from 'vitest';

import { alignColumns } from '../../src/core/align-columns.js';
import { byCodeUnit } from '../../src/core/compare.js';
import { mapRecord, omitKeys } from '../../src/core/map-record.js';
import { publicFile, secretFile } from '../../src/core/output-file.js';
import { printable } from '../../src/core/printable.js';
import { maskedArgument } from '../../src/core/quoted.js';
import { Redacted } from '../../src/core/redacted.js';
import { rfc3339 } from '../../src/core/rfc3339.js';

test('a table has the width of its widest cells and no trailing spaces', () => {
  const rows = [
    ['site', 'is', 'word'],
    ['north-1', 'made'],
    ['s', 'x', ''],
  ];
  expect(alignColumns(rows)).toEqual(['site     is    word', 'north-1  made', 's        x']);
  expect(alignColumns([])).toEqual([]);
});

test('texts are ordered by code unit, in every language', () => {
  expect(['b', 'a', 'Z', 'ä', 'a'].toSorted(byCodeUnit)).toEqual(['Z', 'a', 'a', 'b', 'ä']);
  expect(byCodeUnit('a', 'a')).toBe(0);
});

test('a record is mapped in its order, and freed of names', () => {
  const source = { b: 1, a: 2 };
  expect(Object.entries(mapRecord(source, (value, key) => `${key}${value}`))).toEqual([
    ['b', 'b1'],
    ['a', 'a2'],
  ]);
  expect(omitKeys({ a: 1, b: 2, c: 3 }, ['a', 'c', 'd'])).toEqual({ b: 2 });
});

test('files with secrets are for their owner', () => {
  expect(secretFile('a', 'x')).toEqual({ path: 'a', contents: 'x', mode: 0o600 });
  expect(publicFile('a', 'x')).toEqual({ path: 'a', contents: 'x', mode: 0o644 });
});

test('control characters go to no terminal', () => {
  expect(printable('a\u0000\u001b\u001f \u007e\u007f\u009f\u00a0z\n')).toBe('a··· ~··\u00a0z·');
});

test('an argument that may be a secret is not repeated', () => {
  expect(maskedArgument('sites/north-1')).toBe('sites/north-1');
  expect(maskedArgument('user:oak@host')).toBe('…');
});

test('a redacted value is readable only through its method', () => {
  const secret = new Redacted('oak');
  expect([String(secret), JSON.stringify({ secret }), inspect(secret), secret.reveal()]).toEqual([
    '[redacted]',
    '{"secret":"[redacted]"}',
    '[redacted]',
    'oak',
  ]);
});

test('times have whole seconds', () => {
  expect(rfc3339(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, 678)))).toBe('2026-01-02T03:04:05Z');
});
