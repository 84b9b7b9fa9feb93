import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';

import { readCsv } from '../../../src/formats/table/csv.js';

/** Each record as its cells with their positions: `text@line:col+length`. */
function shown(text: string): readonly string[] | string {
  const reading = readCsv(text);
  if (!reading.ok) return `${reading.line}: ${reading.message}`;
  return reading.records.map((record) =>
    record
      .map(({ text: value, isQuoted, span }) => {
        const cell = isQuoted ? `'${value}'` : value;
        return `${cell}@${span.line}:${span.col}+${span.length}`;
      })
      .join(' '),
  );
}

describe('a table', () => {
  test.each([
    { name: 'of plain cells', text: 'a,b\n1,22\n', want: ['a@1:1+1 b@1:3+1', '1@2:1+1 22@2:3+2'] },
    { name: 'without a last line break', text: 'a\n1', want: ['a@1:1+1', '1@2:1+1'] },
    {
      name: 'of Windows, with its mark',
      text: '\uFEFFa,b\r\n1,2\r\n',
      want: ['a@1:1+1 b@1:3+1', '1@2:1+1 2@2:3+1'],
    },
    { name: 'with empty lines', text: 'a,b\n\n\n1,2\n,\n', want: ['a@1:1+1 b@1:3+1', '1@4:1+1 2@4:3+1'] },
    {
      name: 'with empty cells',
      text: 'a,b,c\n1,,3\n',
      want: ['a@1:1+1 b@1:3+1 c@1:5+1', '1@2:1+1 @2:3+1 3@2:4+1'],
    },
    {
      name: 'with quotes, and a line break within',
      text: 'a,b\n"x,""y""","two\nlines"\n3,4\n',
      want: ['a@1:1+1 b@1:3+1', `'x,"y"'@2:1+9 'two\nlines'@2:11+4`, '3@4:1+1 4@4:3+1'],
    },
    {
      name: 'with letters of more than a byte',
      text: 'a,b\nßé😀,2\n',
      want: ['a@1:1+1 b@1:3+1', 'ßé😀@2:1+4 2@2:6+1'],
    },
    { name: 'of semicolons', text: 'a;b\n1,5;2\n', want: ['a@1:1+1 b@1:3+1', '1,5@2:1+3 2@2:5+1'] },
    { name: 'of tabs', text: 'a\tb\n1\t2\n', want: ['a@1:1+1 b@1:3+1', '1@2:1+1 2@2:3+1'] },
    {
      name: 'with records of other lengths',
      text: 'a,b\n1\n1,2,3\n',
      want: ['a@1:1+1 b@1:3+1', '1@2:1+1', '1@3:1+1 2@3:3+1 3@3:5+1'],
    },
    { name: 'with nothing in it', text: '', want: [] },
  ])('$name', ({ text, want }) => {
    expect(shown(text)).toEqual(want);
  });

  it('that is none is refused at its line, without a word of it', () => {
    expect(shown('a,b\n1,"hidden')).toBe('2: a quote is opened here and not closed');
    expect(shown('a,b\n1,"hid"den,3\n')).toMatch(/^2: a closing quote is followed by text/);
    expect(shown('a,b\n1,"hidden\n2,3\n\n4,5\r')).toBe('2: a quote is opened here and not closed');
    expect(shown('a\r,b\n1,"hidden')).toBe('2: a quote is opened here and not closed');
    expect(shown('a,b\n1,hid"den\n')).toMatch(/^2: a quote is in the middle of a cell/);
  });
});

it('returns the location of each cell for any content', () => {
  const cell = fc.string({ unit: 'binary', maxLength: 6 }).filter((text) => !/[\r\n]/.test(text));
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 3 }), { minLength: 1, maxLength: 5 }),
      (rows) => {
        const quoted = rows.map((cells) => cells.map((text) => `"${text.replaceAll('"', '""')}"`));
        const text = quoted.map((cells) => `${cells.join(',')}\n`).join('');
        const reading = readCsv(text);
        const lines = text.split('\n');
        const records = reading.ok ? reading.records : [];
        for (const { text: value, span } of records.flat()) {
          const written = lines[span.line - 1]?.slice(span.col - 1, span.col - 1 + span.length);
          expect(written).toBe(`"${value.replaceAll('"', '""')}"`);
        }
        const filled = rows.filter((cells) => cells.some((each) => each !== ''));
        expect(records.map((cells) => cells.map((each) => each.text))).toEqual(filled);
      },
    ),
    { numRuns: 25 },
  );
});

it('never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('"', ',', ';', '\n', '\r', '\t', 'a', ' ', '\uFEFF', 'é') }),
      (text) => {
        expect(() => readCsv(text)).not.toThrow();
      },
    ),
  );
});
