import { describe, expect, test } from 'vitest';

import { fillCsv } from '../../../src/formats/table/fill-csv.js';

/** Fills of the rows a and b. */
function filled(text: string, a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>> = {}) {
  return fillCsv(
    text,
    'name',
    new Map([
      ['a', new Map(Object.entries(a))],
      ['b', new Map(Object.entries(b))],
    ]),
  );
}

describe('fillCsv', () => {
  const cases = [
    {
      name: 'fills an empty cell',
      given: 'name,x\na,\nb,2\n',
      a: { x: '1' },
      want: 'name,x\na,1\nb,2\n',
      cells: 1,
    },
    { name: 'keeps a value', given: 'name,x\na,0\n', a: { x: '1' }, want: 'name,x\na,0\n', cells: 0 },
    {
      name: 'keeps a quoted empty text',
      given: 'name,x\na,""\n',
      a: { x: '1' },
      want: 'name,x\na,""\n',
      cells: 0,
    },
    { name: 'adds a column', given: 'name\na\nb\n', a: { x: '1' }, want: 'name,x\na,1\nb,\n', cells: 1 },
    {
      name: 'fills up short lines',
      given: 'name,x,y\na\nb\n',
      a: { y: '1' },
      want: 'name,x,y\na,,1\nb\n',
      cells: 1,
    },
    {
      name: 'keeps the rest of an export: mark, delimiter, line ends, quotes, blanks, no final line end',
      given: '\uFEFFname;"x";y\r\n"odd;\r\nname";;\r\n"a"; 1 ;',
      a: { y: '2', x: '9' },
      want: '\uFEFFname;"x";y\r\n"odd;\r\nname";;\r\n"a"; 1 ;2',
      cells: 1,
    },
    {
      name: 'keeps empty lines and lines of delimiters',
      given: '\nname,x\n\na,\n,\n',
      a: { x: '1', z: '2' },
      want: '\nname,x,z\n\na,1,2\n,\n',
      cells: 2,
    },
    {
      name: 'finds the key in any column',
      given: 'x,name\n,b\n,a\n',
      a: { x: '1' },
      want: 'x,name\n,b\n1,a\n',
      cells: 1,
    },
    {
      name: 'writes no row for an unknown site',
      given: 'name,x\nc,\n',
      a: { x: '1' },
      want: 'name,x\nc,\n',
      cells: 0,
    },
  ];
  test.each(cases)('$name', ({ given, a, want, cells }) => {
    expect(filled(given, a as Readonly<Record<string, string>>)).toEqual({ text: want, filled: cells });
  });
});
