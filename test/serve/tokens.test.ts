import { expect, it } from 'vitest';

import { Redacted } from '../../src/core/redacted.js';
import { tokenOf, tokenTable } from '../../src/serve/tokens/tokens.js';

const key = new Redacted(Buffer.alloc(32, 7).toString('base64url'));
const site = { use: 'site', name: 'north-1', generation: 0 } as const;

it('a token has 192 bits, and is the same each time', () => {
  const token = tokenOf(key, site);
  expect(token).toMatch(/^[A-Za-z0-9_-]{32}$/);
  expect(tokenOf(key, { ...site })).toBe(token);
});

it('another key, use, name or generation has another token', () => {
  const others = [
    tokenOf(key, site),
    tokenOf(new Redacted(Buffer.alloc(32, 8).toString('base64url')), site),
    tokenOf(key, { ...site, use: 'viewer' }),
    tokenOf(key, { ...site, name: 'north-2' }),
    tokenOf(key, { ...site, generation: 1 }),
    // The separator of the parts cannot occur in a site name.
    tokenOf(key, { ...site, name: 'north-1\u00000', generation: 0 }),
  ];
  expect(new Set(others).size).toBe(others.length);
});

it('things are found by their whole token alone', () => {
  const tokens = [0, 1, 2].map((generation) => tokenOf(key, { ...site, generation }));
  const table = tokenTable(tokens.map((token, index) => [token, index] as const));
  expect(tokens.map((token) => table.find(token))).toEqual([0, 1, 2]);
  const [first = ''] = tokens;
  for (const wrong of ['', first.slice(1), `${first}a`, first.toLowerCase(), '__proto__'])
    expect(table.find(wrong)).toBeUndefined();
});
