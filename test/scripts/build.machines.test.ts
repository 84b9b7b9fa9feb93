import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { scratchFolder } from '../support/scratch.js';

/** A project with one module that uses the same build. */
function project(): { readonly at: (path: string) => string; readonly build: () => unknown } {
  const folder = scratchFolder();
  const at = (path: string): string => join(folder, path);
  const copied = [
    'scripts/build.mjs',
    'scripts/build',
    'tsconfig.json',
    'tsconfig.build.json',
    'package.json',
    'package-lock.json',
    'docs/install-config.schema.json',
    'docs/sno-config.schema.json',
    'docs/fleet.schema.json',
    'docs/payload-manifest.schema.json',
    'docs/payload.schema.json',
    'docs/rollout.schema.json',
  ];
  for (const path of copied) cpSync(path, at(path), { recursive: true });
  for (const path of ['src', 'templates']) mkdirSync(at(path));
  symlinkSync(resolve('node_modules'), at('node_modules'));
  const build = (): unknown => {
    const { status, stderr } = spawnSync(process.execPath, ['scripts/build.mjs'], {
      cwd: folder,
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  return { at, build };
}

const well = { status: 0, stderr: '' };

test('the build skips current outputs, and builds again after a change of a source or an output', () => {
  const { at, build } = project();
  writeFileSync(at('src/cli.ts'), "console.log('one');\n");
  writeFileSync(at('templates/file'), 'one');
  const output = at('dist/program.js');
  const buildId = (): string => readFileSync(at('dist/build-id'), 'utf8');
  expect(build()).toEqual(well);
  expect(readFileSync(output, 'utf8')).toContain('"one"');
  const first = statSync(output).ino;

  expect(build()).toEqual(well);
  expect(statSync(output).ino).toBe(first);

  writeFileSync(at('src/cli.ts'), "console.log('two');\n");
  expect(build()).toEqual(well);
  expect(readFileSync(output, 'utf8')).toContain('"two"');

  const id = buildId();
  rmSync(output);
  expect(build()).toEqual(well);
  expect([readFileSync(output, 'utf8').includes('"two"'), buildId()]).toEqual([true, id]);

  writeFileSync(at('templates/file'), 'two');
  expect(build()).toEqual(well);
  expect(buildId()).not.toBe(id);
});
