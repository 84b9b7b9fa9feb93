import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { writeYaml } from '../../../src/formats/yaml/write-yaml.js';
import {
  nodeAt,
  pathText,
  spanOf,
  toData,
  type FieldPath,
  type Span,
  type Target,
} from '../../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../../src/formats/yaml/yaml.js';

function only(text: string): ReturnType<typeof readYaml>['documents'][number] {
  const [root] = readYaml(text).documents;
  if (!root) throw new Error('no document');
  return root;
}

/** The text that a span covers. */
function covered(text: string, { line, col, length }: Span): string {
  const content = text.split(/\r?\n/)[line - 1] ?? '';
  return content.slice(col - 1, col - 1 + length);
}

describe('readYaml gives plain data', () => {
  test.each([
    { name: 'a map', given: 'a: 1\nb: [x, true, null]\n', want: [{ a: 1, b: ['x', true, null] }] },
    { name: 'JSON', given: '{"a": {"b": "c"}}', want: [{ a: { b: 'c' } }] },
    {
      name: 'YAML 1.1 booleans and octal numbers',
      given: 'a: yes\nb: 0644\nc: off',
      want: [{ a: true, b: 420, c: false }],
    },
    { name: 'dates as text', given: 'a: 2026-01-02', want: [{ a: '2026-01-02' }] },
    { name: 'CRLF', given: 'a: 1\r\nb: |\r\n  x\r\n  y\r\n', want: [{ a: 1, b: 'x\ny\n' }] },
    { name: 'several documents', given: 'a: 1\n---\nb: 2\n...\n', want: [{ a: 1 }, { b: 2 }] },
    { name: 'no document', given: '# nothing\n', want: [] },
    { name: 'an empty text', given: '', want: [] },
    { name: 'an empty document', given: '---\n', want: [null] },
    { name: 'aliases', given: 'a: &x [1]\nb: *x\n', want: [{ a: [1], b: [1] }] },
    {
      name: 'merge keys',
      given: 'a: &x {p: 1, q: 2}\nb: {<<: *x, q: 3}\n',
      want: [{ a: { p: 1, q: 2 }, b: { q: 3, p: 1 } }],
    },
    {
      name: 'lists of merge keys',
      given: 'a: &x {p: 1}\nb: &y {p: 2, q: 2}\nc: {<<: [*x, *y]}',
      want: [{ a: { p: 1 }, b: { p: 2, q: 2 }, c: { p: 1, q: 2 } }],
    },
    { name: 'numbers as keys', given: '1: a', want: [{ 1: 'a' }] },
    { name: 'a tag of plain data', given: 'a: !!str 12', want: [{ a: '12' }] },
  ])('$name', ({ given, want }) => {
    const { documents, faults } = readYaml(given);
    expect({ data: documents.map(toData), faults }).toEqual({ data: want, faults: [] });
  });

  test('reads back what writeYaml writes', () => {
    const key = fc.string({ minLength: 1, maxLength: 8 });
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
      ),
    }));
    fc.assert(
      fc.property(value, (given) => {
        expect(readYaml(writeYaml(given)).documents.map(toData)).toEqual([given]);
      }),
    );
  });
});

describe('writeYaml', () => {
  test('quotes what YAML 1.1 would read as something else', () => {
    const given = {
      a: 'no',
      b: '0644',
      c: '1:30',
      d: '2026-01-02',
      e: 'y',
      '<<': 'x',
      f: '=',
      g: '1e3',
      h: '~',
    };
    expect(readYaml(writeYaml(given)).documents.map(toData)).toEqual([given]);
    expect(writeYaml({ a: 'no', b: 'plain', c: ['y', 'x\ny\n'] })).toBe(
      'a: "no"\nb: plain\nc:\n  - "y"\n  - |\n    x\n    y\n',
    );
  });
});

describe('readYaml finds faults', () => {
  const bomb = ['a0: &a0 [x,x,x,x,x,x,x,x,x]'];
  for (let i = 1; i < 12; i += 1)
    bomb.push(
      `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(',')}]`,
    );
  const mergeBomb = `a: &a {${Array.from({ length: 500 }, (_, i) => `k${i}: 1`).join(',')}}\nb: {<<: [${Array(2000).fill('*a').join(',')}]}\n`;

  const tagged = 'tags other than those of strings, numbers, lists and maps are not supported';

  test.each([
    { name: 'a tab', given: 'a:\n\tb: 1\n', want: ['syntax 2:1 tabs are not allowed as indentation'] },
    { name: 'an open quote', given: 'a: "b\nc: d\n', want: ['syntax 1:4 this quote is never closed'] },
    {
      name: 'an open bracket',
      given: 'a: [b\nc: d\n',
      want: ['syntax 1:1 a bracket of this line is not closed'],
    },
    { name: 'two keys on a line', given: 'a: b: c\n', want: ['syntax 1:4 two keys are on one line'] },
    {
      name: 'a bad indent',
      given: 'a:\n    b: 1\n  c: 2\n',
      want: ['syntax 3:3 this line is indented more than its siblings'],
    },
    ...[
      ['+b: 2\n', '1:1'],
      ['-b: 2\n', '1:1'],
      ['a:\n+  b: 2\n', '2:1'],
      ['a:\n  b: 1\n-  c: 2\n', '3:1'],
      ['a:\n+  b: 1\n   c: 2\n', '2:1'],
      ['@@ -1,2 +1,3 @@\n a: 1\n+b: 2\n', '1:1'],
      [' a: 1\n-b: 2\n+b: 3\n', '2:1'],
      ['+a: 1\n+b: 2\n+c:\n+  d: 3\n', '1:1'],
    ].map(([given = '', at = '']) => ({
      name: `a line of a diff: ${JSON.stringify(given)}`,
      given,
      want: [`syntax ${at} this line starts like a line of a diff`],
    })),
    {
      name: 'a text that starts with @',
      given: 'a: @b\n',
      want: ['syntax 1:4 a text without quotes cannot start with this character'],
    },
    {
      name: 'a missing colon',
      given: 'a: 1\nb\nc: 2\n',
      want: ['syntax 2:1 this line is no key with a value'],
    },
    {
      name: 'a key given twice',
      given: 'a: 1\nb: 2\na: 3\n',
      want: ['duplicate-key 3:1 "a" is given twice, first on line 1'],
    },
    {
      name: 'an alias of nothing',
      given: 'a: *b\n',
      want: ['syntax 1:4 this alias has no anchor above it'],
    },
    {
      name: 'an alias of itself',
      given: 'a: &a [*a]\n',
      want: ['syntax 1:8 this alias has no anchor above it'],
    },
    {
      name: 'a tag of no plain data',
      given: 'a: !!set {b}\n',
      want: ['syntax 1:10 tags other than those of strings, numbers, lists and maps are not supported'],
    },
    {
      name: 'a tag nobody knows',
      given: 'a: !mine b\n',
      want: ['syntax 1:10 tags other than those of strings, numbers, lists and maps are not supported'],
    },
    { name: 'a map as key', given: '{a: b}: c\n', want: ['syntax 1:1 a key must be a string'] },
    {
      name: 'a key behind a ?',
      given: 'a:\n  ? b\n  - c\n',
      want: ['syntax 2:3 a key after "?" is not supported'],
    },
    {
      name: 'the same in brackets',
      given: 'a: {? b: c}\n',
      want: ['syntax 1:5 a key after "?" is not supported'],
    },
    ...['!!int "x"', '!!int x', '!!map true', '!!seq {b: 1}', '!!bool 1', '!!null b', '!!float "1"'].map(
      (given) => ({
        name: `${given}, which is none`,
        given: `a: ${given}\n`,
        want: [
          expect.stringMatching(
            /^syntax 1:\d+ the value does not match its tag|^syntax 1:\d+ the tag does not fit/,
          ) as string,
        ],
      }),
    ),
    { name: 'a tag of a key', given: '!!binary a: b\n', want: [`syntax 1:10 ${tagged}`] },
    { name: 'a tag that makes nothing of a key', given: '!!null a: b\n', want: [`syntax 1:8 ${tagged}`] },
    ...['null', '~', 'yes', 'On', '0x10', '1_000', '1.50'].map((key) => ({
      name: `the key ${key}, which Go takes for another`,
      given: `${key}: a\n`,
      want: ['syntax 1:1 a key must be a string'],
    })),
    { name: 'no key', given: ': a\n', want: ['syntax 1:1 a key must be a string'] },
    ...['\u0001', '\u0085', '\u2028', '\u2029', '\u007f', '\ufeff', '\r'].map((character) => ({
      name: `U+${character.charCodeAt(0).toString(16)} as it is`,
      given: `a: b\nc: d${character}e\n`,
      want: ['syntax 2:5 this character is not allowed in YAML'],
    })),
    {
      name: 'two merges',
      given: 'a:\n  <<: {b: 1}\n  <<: {c: 2}\n',
      want: ['duplicate-key 3:3 "<<" is given twice, first on line 2'],
    },
    {
      name: 'a merge of no map',
      given: 'a: {<<: b}\n',
      want: ['syntax 1:9 only maps can be merged with "<<"'],
    },
    {
      name: 'a merge bomb',
      given: mergeBomb,
      want: ['size 2:9 the aliases of this YAML expand to too many values'],
    },
  ])('$name', ({ given, want }) => {
    const { faults } = readYaml(given);
    expect(faults.map(({ kind, span, message }) => `${kind} ${span.line}:${span.col} ${message}`)).toEqual(
      want,
    );
  });

  test('a bomb', () => {
    const { documents, faults } = readYaml(bomb.join('\n'));
    expect(documents).toEqual([]);
    expect(new Set(faults.map(({ message }) => message))).toEqual(
      new Set(['the aliases of this YAML expand to too many values']),
    );
  });

  test('and accepts similar texts that all readers parse alike', () => {
    const text =
      '\ufeff"null": 1\n"yes": 2\ntrue: 3\n16: 4\n!!str b: !!int 5\nc: "\\u2028\\N"\r\nd: [?e, f?]\n';
    const { documents, faults } = readYaml(text);
    expect(faults).toEqual([]);
    expect(documents.map(toData)).toEqual([
      { null: 1, yes: 2, true: 3, 16: 4, b: 5, c: '\u2028\u0085', d: ['?e', 'f?'] },
    ]);
  });

  test('a duplicate key leaves the rest usable, with the first value', () => {
    expect(readYaml('a: 1\na: 2\nb: 3').documents.map(toData)).toEqual([{ a: 1, b: 3 }]);
  });
});

describe('readYaml gives up early and never throws, whatever the text', () => {
  const size = 1024 * 1024;
  test.each([
    { name: 'brackets', given: '['.repeat(size) },
    { name: 'braces', given: '{'.repeat(size) },
    { name: 'dashes', given: '- '.repeat(size / 2) },
    { name: 'question marks', given: '? '.repeat(size / 2) },
    { name: 'one key again and again', given: 'a: b\n'.repeat(size / 5) },
    { name: 'many keys', given: Array.from({ length: 90_000 }, (_, i) => `k${i}: v\n`).join('') },
    { name: 'directives', given: '%a\n'.repeat(size / 3) },
    { name: 'documents', given: '---\n'.repeat(size / 4) },
    { name: 'comments', given: '#\n'.repeat(size / 2) },
    { name: 'colons', given: ': '.repeat(size / 2) },
    {
      name: 'many anchors and aliases',
      given: Array.from({ length: 9000 }, (_, i) => `- &a${i} x\n- *a${i}\n`).join(''),
    },
    {
      name: 'deep indentation',
      given: Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
    },
  ])('$name', ({ given }) => {
    // A reader without a limit would exceed the time limit of the test.
    expect(readYaml(given, { maxTokens: 50_000 })).toMatchObject({
      documents: [],
      faults: [{ kind: 'size' }],
    });
  });

  test.each([
    {
      name: 'maps',
      given: Array.from({ length: 1400 }, (_, i) => `${' '.repeat(i)}a:\n`).join(''),
      line: 66,
    },
    { name: 'lists', given: '- '.repeat(1400), line: 1, col: 131 },
    { name: 'brackets', given: '['.repeat(1400) + ']'.repeat(1400), line: 1, col: 66 },
    { name: 'keys', given: '{'.repeat(70) + '}: a'.repeat(70), line: 1, col: 65 },
  ])('reports $name above the depth limit, for any stack size', ({ given, line, col = line }) => {
    const span = { line, col, length: 1 };
    const fault = { kind: 'size', message: 'the YAML is nested too deeply', span };
    expect(readYaml(given)).toEqual({ documents: [], faults: [fault] });
  });

  test('random text', () => {
    const piece = fc.constantFrom(
      'a',
      ': ',
      '- ',
      '\n',
      '  ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '|',
      '>',
      '&a ',
      '*a',
      '<<',
      '#',
      '!',
      '%',
      '@',
      '\t',
      '? ',
      '---',
      '\r',
    );
    const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(text, (given) => {
        const lines = given.split('\n');
        for (const { span } of readYaml(given).faults) {
          expect(span.line >= 1 && span.line <= lines.length && span.col >= 1 && span.length >= 1).toBe(true);
          expect(span.col).toBeLessThanOrEqual((lines[span.line - 1] ?? '').length + 1);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('spanOf', () => {
  const text = [
    'metadata:',
    '  name: "sno"',
    'networking:',
    '  machineNetwork:',
    '  - cidr: 192.168.126.0/24',
    '  serviceNetwork: [172.30.0.0/16]',
    'sshKey: |',
    '  ssh-rsa AAAA one',
    '',
    '  ssh-rsa AAAA two',
    'proxy:',
    'fips: true',
    '',
  ].join('\n');

  const cases: readonly { path: FieldPath; target?: Target; want: string }[] = [
    { path: [], want: '1 metadata:' },
    { path: ['metadata'], want: '1 metadata' },
    { path: ['metadata', 'name'], want: '2 "sno"' },
    { path: ['metadata', 'name'], target: 'key', want: '2 name' },
    { path: ['metadata', 'labels'], want: '1 metadata' },
    { path: ['networking', 'machineNetwork', 0, 'cidr'], want: '5 192.168.126.0/24' },
    { path: ['networking', 'machineNetwork', 0], want: '5 cidr: 192.168.126.0/24' },
    { path: ['networking', 'machineNetwork', 7, 'cidr'], want: '4 machineNetwork' },
    { path: ['networking', 'serviceNetwork', 0], want: '6 172.30.0.0/16' },
    { path: ['networking', 'serviceNetwork', 0, 'deeper'], want: '6 172.30.0.0/16' },
    { path: ['sshKey'], want: '7 |' },
    { path: ['sshKey'], target: { textLine: 0 }, want: '8 ssh-rsa AAAA one' },
    { path: ['sshKey'], target: { textLine: 2 }, want: '10 ssh-rsa AAAA two' },
    { path: ['sshKey'], target: { textLine: 9 }, want: '7 |' },
    { path: ['proxy', 'httpProxy'], want: '11 proxy' },
    { path: ['proxy'], want: '11 proxy' },
    { path: ['baseDomain'], want: '1 m' },
  ];
  test.each(
    cases.map((each) => ({
      ...each,
      name: `${pathText(each.path)} ${JSON.stringify(each.target ?? 'value')}`,
    })),
  )('$name', ({ path, target, want }) => {
    const span = spanOf(only(text), path, target);
    expect(`${span.line} ${covered(text, span)}`).toBe(want);
  });

  test('returns the span of every value in any map', () => {
    const word = fc.stringMatching(/^[a-z]{1,6}$/);
    fc.assert(
      fc.property(fc.dictionary(word, fc.dictionary(word, word, { maxKeys: 3 }), { maxKeys: 4 }), (given) => {
        const written = writeYaml(given);
        for (const [outer, inner] of Object.entries(given)) {
          for (const [key, value] of Object.entries(inner)) {
            const node = nodeAt(only(written), [outer, key]);
            expect(node && toData(node)).toBe(value);
            expect(covered(written, spanOf(only(written), [outer, key])).replaceAll('"', '')).toBe(value);
            expect(covered(written, spanOf(only(written), [outer, key], 'key')).replaceAll('"', '')).toBe(
              key,
            );
          }
        }
      }),
    );
  });
});

describe('pathText', () => {
  test.each([
    { path: ['networking', 'machineNetwork', 0, 'cidr'], want: 'networking.machineNetwork[0].cidr' },
    { path: ['metadata', 'labels', 'a.b/c'], want: 'metadata.labels["a.b/c"]' },
    { path: [], want: '' },
  ])('$want', ({ path, want }) => {
    expect(pathText(path)).toBe(want);
  });
});
