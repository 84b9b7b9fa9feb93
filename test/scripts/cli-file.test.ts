import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import module from 'node:module';
import { join, resolve } from 'node:path';

import { expect, test } from 'vitest';

import { scratchFolder } from '../support/scratch.js';
import { scaledMs } from '../support/time-scale.js';

/** Runs the built program through a link, from an empty folder. */
function version(env: NodeJS.ProcessEnv): unknown {
  const link = join(scratchFolder(), 'sno-install');
  symlinkSync(resolve('dist/cli.js'), link);
  const cwd = scratchFolder();
  const options = { cwd, env, encoding: 'utf8', timeout: scaledMs(30_000) } as const;
  const { status, stderr } = spawnSync(process.execPath, [link, 'version'], options);
  return { status, stderr, written: readdirSync(cwd) };
}

const well = { status: 0, stderr: '', written: [] };

test('the compile cache is in the cache folder of the user', () => {
  const home = scratchFolder();
  mkdirSync(join(home, '.cache'));

  expect(version({ HOME: home })).toEqual(well);
  expect(readdirSync(join(home, '.cache'))).toEqual('enableCompileCache' in module ? ['sno-install'] : []);
});

test('a cache folder that cannot be written to does no harm', () => {
  const file = join(scratchFolder(), 'file');
  writeFileSync(file, '');
  const readOnly = join(scratchFolder(), 'read-only');
  mkdirSync(readOnly, { mode: 0o555 });

  for (const folder of [file, readOnly, '/proc/nonexistent'])
    expect(version({ XDG_CACHE_HOME: folder })).toEqual(well);
});

test.each([{}, { HOME: '' }, { HOME: '/nonexistent' }, { XDG_CACHE_HOME: 'relative' }])(
  'a program without a cache folder has no cache: %o',
  (env) => {
    expect(version(env)).toEqual(well);
  },
);
