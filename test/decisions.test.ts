import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

const folder = 'docs/decisions';
const mark = '_Figures are those measured when this was decided._';

/** Times, sizes and shares: what a later version may make untrue. */
const measured = /\d[\d.,]* ?(?:ms|s|kB|MB|GB|%)(?![A-Za-z0-9])|\d[\d.,]* (?:acquisitions|keys)\b/;

it('bench/README.md says no figure but those that `npm run bench` writes', () => {
  const parts = readFileSync('bench/README.md', 'utf8').split(/<!-- figures: [a-z-]+ -->/);
  const written = parts.filter((_, index) => index % 2 === 0);

  expect(parts.length).toBeGreaterThan(2);
  expect(written.join('')).not.toMatch(measured);
});

it.each(readdirSync(folder))('%s says so where its figures are of the day it was decided', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');

  expect(text.split('\n')[2] === mark).toBe(measured.test(text));
});
