import { expect, it } from 'vitest';

import { differenceFrom } from './difference.js';

it('keeps a case as its difference', () => {
  const base = { a: '1', b: '2', c: '3' };
  expect(differenceFrom(base, { a: '1', b: '4', d: '5' })).toEqual({
    b: '4',
    d: '5',
    'not-in-this-case.txt': 'c\n',
  });
  expect(differenceFrom(base, base)).toEqual({});
});
