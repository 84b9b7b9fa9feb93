import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

import { expect, it } from 'vitest';

it('the generated documents are what the program says', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], {
    encoding: 'utf8',
  });

  expect([status, stderr]).toEqual([0, '']);
});

it('every document is within reach of the README', () => {
  const documents = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const readme = readFileSync('README.md', 'utf8');

  expect(documents.filter((name) => !readme.includes(`docs/${name}`))).toEqual([]);
});
