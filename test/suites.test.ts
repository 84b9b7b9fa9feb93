import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { expect, test } from 'vitest';

/** The files of `npm test` but this one. */
const suites = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => join('test', path))
  .filter((path) => path.endsWith('.test.ts') && !/\.(?:machines|long)\.test\.ts$/.test(path))
  .filter((path) => path !== 'test/suites.test.ts');

/** Every module of ours that a file imports, itself among them. */
function importsOf(path: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
    /^(?:import|export|}).* from '(\.{1,2}\/[^']+)\.js'/gm,
  )) {
    importsOf(join(dirname(path), `${name}.ts`), seen);
  }
  return seen;
}

function buildsTools(path: string): boolean {
  return path.startsWith('test/') && /tools\/build'/.test(readFileSync(path, 'utf8'));
}

test('npm test builds no tools and starts no machine', () => {
  expect(suites.length).toBeGreaterThan(100);
  expect(suites.filter((path) => [...importsOf(path)].some(buildsTools))).toEqual([]);
});

test('npm run test:unit needs no build', () => {
  const listed = spawnSync(
    'node_modules/.bin/vitest',
    ['list', '--filesOnly', '--json', '--project', 'unit'],
    {
      encoding: 'utf8',
    },
  );
  const files = JSON.parse(listed.stdout) as readonly { readonly file: string }[];
  const units = files.map(({ file }) => relative('.', file));
  const readsBuild = (path: string): boolean =>
    path.startsWith('test/') &&
    path !== 'test/suites.test.ts' &&
    /'(?:[^'\n]*\/)?(?:dist|\.cache\/modules)\//.test(readFileSync(path, 'utf8'));
  expect(units.length).toBeGreaterThan(100);
  expect(units.filter((path) => [...importsOf(path)].some(readsBuild))).toEqual([]);
});

test('the machines do', () => {
  expect([...importsOf('test/real/control-plane/aio.machines.test.ts')].some(buildsTools)).toBe(true);
});

test('nothing is judged by a clock', () => {
  const timed = /\bexpect\([^;]*(?:performance\.now|Date\.now|hrtime)/;
  expect(suites.filter((path) => timed.test(readFileSync(path, 'utf8')))).toEqual([]);
});
