import fc from 'fast-check';
import { expect, test } from 'vitest';

import { ordinaryYaml } from '../../../src/formats/yaml/ordinary-yaml.js';
import { yamlByPackage } from '../../../src/formats/yaml/package-yaml.js';
import { writeYaml, writeYamlInOrder } from '../../../src/formats/yaml/write-yaml.js';

/** What readers of YAML, the package or ours take for more than letters, and what surrounds it. */
const pieces = [
  ...['a', 'Zz', 'word', 'no', 'Y', 'null', 'Off', 'e810', 'x', 'nan', 'A=='],
  ...['0', '12', '0x1F', '1e3', 'e+', '+', '.inf', '1_000', '2026-11-25', '<<', '='],
  ...[
    ' ',
    '  ',
    '\n',
    '\n\n',
    '\t',
    '\r',
    ':',
    ': ',
    ' #',
    '#',
    '-',
    '- ',
    '?',
    ',',
    '.',
    '---',
    '...',
    '/',
    '@',
  ],
  ...['"', "'", '\\', '|', '>', '&', '*', '!', '%', '`', '{', '}', '[', ']', '~', '(', ')', ';', '$'],
  ...['é', '\u0085', '\u00a0', '\u2028', '\ufeff', '\u0000', '\u007f', '😀', '\ud800'],
];

const text = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 9 });
const likelyText = fc.oneof(
  text,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('', 'a'.repeat(90), ' '),
);
const likelyKey = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z][A-Za-z./-]{0,9}$/) },
  { weight: 1, arbitrary: text },
);

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    likelyText,
    fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, 1e21, 2 ** 53, Infinity, NaN)),
    fc.boolean(),
    fc.constantFrom(null, undefined, [], {}, { a: undefined }, [undefined], new Date(0)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(likelyKey, tie('value'), { maxKeys: 4 }),
  ),
}));

test('values are written as the package writes them', () => {
  fc.assert(
    fc.property(value, (given) => {
      expect(writeYaml(given)).toBe(yamlByPackage(given, { isSorted: true }));
      expect(writeYamlInOrder(given)).toBe(yamlByPackage(given, { isSorted: false }));
    }),
    { numRuns: 1000 },
  );
});

test('so is each text of a few signs, behind a key, in a list, and below both', () => {
  fc.assert(
    fc.property(likelyText, (given) => {
      for (const holder of [{ a: given }, [given], { a: [{ b: given, c: [[given], given] }] }])
        expect(writeYaml(holder)).toBe(yamlByPackage(holder, { isSorted: true }));
    }),
    { numRuns: 1500 },
  );
});

test.each([
  {
    name: 'keys in another order, none without a value',
    given: { b: 1, a: { c: undefined }, d: [], e: undefined },
  },
  { name: 'lists of lists and of maps', given: { a: [[1, [2]], [{ b: [], c: { d: null } }], true] } },
  {
    name: 'a certificate',
    given: { data: { 'ca.crt': '-----BEGIN CERTIFICATE-----\nMIIB+/=\n-----END CERTIFICATE-----\n' } },
  },
  { name: 'a key that only a question mark can announce', given: { ['k'.repeat(1030)]: 1 } },
])('$name', ({ given }) => {
  expect(writeYaml(given)).toBe(yamlByPackage(given, { isSorted: true }));
});

test('a manifest is of an ordinary form, also where a text needs quotes', () => {
  const given = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'root-ca', namespace: 'kube-system', labels: {} },
    data: {
      'ca.crt': 'one line\n\nanother: line # of text\n',
      url: 'https://api.example.com:6443/x?y',
      none: '',
    },
  };
  expect(ordinaryYaml(given, { isSorted: true })).toBe(yamlByPackage(given, { isSorted: true }));
});

test.each([
  { name: 'a text', given: 'a' },
  { name: 'an empty map', given: {} },
  { name: 'a date', given: { a: new Date(0) } },
  { name: 'a fraction', given: { a: 0.5 } },
  { name: 'a key in quotes', given: { 1: 'a' } },
])('$name is for the package', ({ given }) => {
  expect(ordinaryYaml(given, { isSorted: true })).toBeUndefined();
});
