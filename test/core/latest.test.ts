import { expect, it } from 'vitest';

import { latest } from '../../src/core/latest.js';

it('what was asked for last is not made again, and what was long ago is', () => {
  const made: string[] = [];
  const get = latest(2, (key) => {
    made.push(key);
    return { key };
  });
  const first = get('a');
  expect(get('a')).toBe(first);
  for (const key of ['b', 'c', 'a', 'c', 'b']) expect(get(key)).toEqual({ key });
  expect(made).toEqual(['a', 'b', 'c']);

  for (const key of ['d', 'e', 'f', 'g']) get(key);
  expect(get('a')).not.toBe(first);
  expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'a']);
});
