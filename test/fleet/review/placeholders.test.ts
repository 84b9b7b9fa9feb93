import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { namesUsed, placeholdersFor } from '../../../src/fleet/review/placeholders.js';

const values = new Map([
  ['name', 'north-1'],
  ['ip', '10.1.1.1'],
  ['network', '10.1.1.0/24'],
  ['mac', '52:54:00:00:01:0a'],
  ['rack', '77'],
]);

describe('the values of a site are named', () => {
  test.each([
    { text: 'api.north-1.example.com', want: 'api.${name}.example.com' },
    { text: 'north-10 xnorth-1 north-1', want: 'north-10 xnorth-1 ${name}' },
    { text: '10.1.1.10 10.1.1.1/24', want: '10.1.1.10 ${ip}/24' },
    { text: '10.1.1.0/24', want: '${network}' },
    { text: 'rack77 rack770 x10.1.1.1', want: 'rack${rack} rack770 x${ip}' },
    { text: '52:54:00:00:01:0A', want: '${mac:upper}' },
    { text: 'rack 77 of 177', want: 'rack ${rack} of 177' },
    { text: 'echo ${name} $name ${HOME}', want: 'echo $${name} $name ${HOME}' },
    { text: '$${ip} $10.1.1.1', want: '$$${ip} $10.1.1.1' },
  ])('$text', ({ text, want }) => {
    const { named, filled } = placeholdersFor(values);
    expect(named(text)).toBe(want);
    expect(filled(named(text))).toBe(text);
  });

  test('those that are wanted alone; a placeholder of another is kept apart all the same', () => {
    const { named } = placeholdersFor(values, (name) => name === 'ip');
    expect(named('north-1 10.1.1.1 ${name}')).toBe('north-1 ${ip} $${name}');
  });

  test('and which of them a template uses', () => {
    expect([...namesUsed('a ${mac:upper} $${ip} ${HOME}', [...values.keys()])]).toEqual(['mac', 'ip']);
  });

  test('and restored, for any text and values', () => {
    const piece = fc.constantFrom(
      '$',
      '{',
      '}',
      ':',
      'a',
      'A',
      '1',
      '.',
      'name',
      'upper',
      '${a}',
      '$${b:upper}',
      ' ',
    );
    const word = fc.array(piece, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(''));
    const name = fc.constantFrom('a', 'b', 'a:before', 'c[0]');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(name, word), { maxLength: 4 }),
        fc.array(fc.oneof(piece, word), { maxLength: 12 }),
        (entries, parts) => {
          const { named, filled } = placeholdersFor(new Map(entries));
          const text = [...parts, ...entries.map(([, value]) => value)].join('');
          expect(filled(named(text))).toBe(text);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
