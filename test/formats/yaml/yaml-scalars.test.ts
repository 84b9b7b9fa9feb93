import { describe, expect, it, test } from 'vitest';

import { plainNumber } from '../../../src/formats/yaml/yaml-scalars.js';
import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';

const numbers: Readonly<Record<string, number>> = {
  '0': 0,
  '+7': 7,
  '-1_000': -1000,
  '012': 10,
  '-012': -10,
  '0_': 0,
  '+_1': 1,
  '0o17': 15,
  '0O17': 15,
  '0x1F': 31,
  '-0X1f': -31,
  '0b101': 5,
  '0B1': 1,
  '08': 8,
  '09.5': 9.5,
  '.5': 0.5,
  '+.5': 0.5,
  '.5_0': 0.5,
  '.5e2': 50,
  '1.': 1,
  '1.e5': 100_000,
  '1e3': 1000,
  '1E+3': 1000,
  '1e-3': 0.001,
  '1_0.5': 10.5,
  '18446744073709551615': 2 ** 64,
  '0xFFFFFFFFFFFFFFFF': 2 ** 64,
  '-0x8000000000000000': -(2 ** 63),
  '18446744073709551616': 2 ** 64,
};
const texts = [
  ...['e810', 'E5', 'e+5', '-e5', '+', '-', '.', '-.', '_1', '._5', '.5_', '.5__0', '_', '1e', '1.5.2'],
  ...['1:30', '190:20:30.15', '0x', '0x_', '0b', '0b2', '0o8', '0o', '1e400', '2001-01-01', '10.0.0.1'],
  ...['0x10000000000000000', '-0x8000000000000001', '+0x8000000000000000', '0x1p3', '5Gi', ''],
];

describe('unquoted scalars that Go parses as numbers', () => {
  it.each(Object.entries(numbers))('is one: %s', (text, number) => {
    expect(plainNumber(text)).toBe(number);
    expect(readYaml(`a: ${text}\n`).documents.map(toData)).toEqual([{ a: number }]);
    expect(writeYaml({ a: text })).toBe(`a: "${text}"\n`);
    expect(readYaml(`a: "${text}"\n`).documents.map(toData)).toEqual([{ a: text }]);
  });

  it.each(texts)('is none: %j', (text) => {
    expect(plainNumber(text)).toBeUndefined();
  });

  it('is read as a text where it is none', () => {
    const list = ['e810', 'e1000', '1:30', '._5', '1e400', '2001-01-01'];
    const yaml = list.map((text) => `- ${text}\n`).join('');
    expect(readYaml(yaml).documents.map(toData)).toEqual([list]);
  });

  it('may be a key where it is none, as the name of a card', () => {
    const read = readYaml('e810: 1\n1:30: 2\n');
    expect(read.faults).toEqual([]);
    expect(read.documents.map(toData)).toEqual([{ e810: 1, '1:30': 2 }]);
    for (const key of ['0o7', '+_1', '0x1F', '1_000'])
      expect(readYaml(`${key}: 1\n`).faults).toMatchObject([{ kind: 'syntax' }]);
  });

  it('ignores scalars with a tag or without an end', () => {
    expect(readYaml('a: !!str 012\nb: .inf\n').documents.map(toData)).toEqual([{ a: '012', b: Infinity }]);
  });
});

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
  ])('is rejected at its location: $name', ({ given, line }) => {
    const { documents, faults } = readYaml(given);
    expect(documents).toEqual([]);
    expect(faults.map(({ kind, span }) => ({ kind, line: span.line }))).toEqual([{ kind: 'syntax', line }]);
  });

  test('is accepted with its other half', () => {
    expect(readYaml('a: "\\ud83d\\ude00"\n').faults).toEqual([]);
  });
});
