import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { writeYaml } from '../../src/formats/yaml/write-yaml.js';
import { toData } from '../../src/formats/yaml/yaml-tree.js';
import { readYaml } from '../../src/formats/yaml/yaml.js';

/** Strings that some YAML version reads as another type when unquoted. */
const treacherous = [
  ...[
    '',
    ' ',
    '~',
    'null',
    'Null',
    'yes',
    'No',
    'on',
    'OFF',
    'y',
    'N',
    'true',
    'False',
    '=',
    '<<',
    '-',
    '--- a',
    '...',
  ],
  ...[
    '012',
    '0o17',
    '0x1F',
    '0b11',
    '1_000',
    '1:30',
    '1e3',
    '.5',
    '+1',
    '-.inf',
    '.NaN',
    '2001-01-01',
    '4.20',
    '1.',
  ],
  ...[
    'a: b',
    'a #b',
    '#a',
    '&a',
    '*a',
    '!a',
    '|',
    '> a',
    '%a',
    '@a',
    '`a',
    '{a}',
    '[a',
    ', ',
    "'a'",
    '"a',
    'a\\b',
    '? a',
    ': a',
  ],
  ...[
    '\n',
    'a\n',
    'a\n\n',
    '\na',
    ' a\n',
    'a\n b\n',
    '\ta\n',
    'a \nb',
    'a\r\nb',
    'a\u0085b',
    'a\u2028b',
    '\ufeffa',
    '\u0000',
    '\u001b[0m',
    '💡',
  ],
];

const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string(), fc.constantFrom(...treacherous));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));

describe('writeYaml', () => {
  it('is read as the same value, by the YAML 1.1 that Kubernetes reads', () => {
    fc.assert(
      fc.property(value, (random) => {
        // The text is below a key, as in every manifest. At the start of a document it could begin with a byte order mark.
        const given = { random };
        const { documents, faults } = readYaml(writeYaml(given));
        expect(faults).toEqual([]);
        expect(documents.map(toData)).toEqual([given]);
      }),
      { numRuns: 500 },
    );
  });

  it.each(treacherous)('keeps %j as a text', (given) => {
    const { documents } = readYaml(writeYaml({ text: given, list: [given], [given]: 1 }));
    expect(documents.map(toData)).toEqual([{ text: given, list: [given], [given]: 1 }]);
  });
});
