import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { problemCatalog } from '../../src/core/problem-codes/catalog.js';

/** The source without the catalog. */
function sourceText(): string {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => !file.startsWith(join('core', 'problem-codes')));
  return files.map((file) => readFileSync(join('src', file), 'utf8')).join('\n');
}

it('every code of the catalog is reported somewhere', () => {
  const text = sourceText();
  const quoted = new Set([...text.matchAll(/'([a-z0-9/-]+)'/g)].map(([, word = '']) => word));
  // A code in a template: `config/${kind}`.
  const starts = [...text.matchAll(/`([a-z-]+\/[a-z-]*)\$\{/g)].map(([, start = '']) => start);
  const isReported = (code: string): boolean =>
    quoted.has(code) ||
    starts.some((start) => code.startsWith(start) && quoted.has(code.slice(start.length)));
  expect(Object.keys(problemCatalog).filter((code) => !isReported(code))).toEqual([]);
});
