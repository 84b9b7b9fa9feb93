import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

import { expect } from 'vitest';

import { trackedFiles } from '../../support/tracked-files.js';

/** The result of a program. */
export interface Exit {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function run(cwd: string, program: string, ...args: readonly string[]): Exit {
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000', GIT_CONFIG_GLOBAL: '/dev/null' };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env });
  return { status, stdout, stderr };
}

/** A Git repository at a new path, with the current sources committed. */
export function cloneOfSources(folder: string): string {
  for (const path of trackedFiles('.')) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    copyFileSync(path, join(folder, path));
  }
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  // A lock file newer than node_modules would start an installation in the linked folder.
  utimesSync(join(folder, 'package-lock.json'), 0, 0);
  const author = ['-c', 'user.name=t', '-c', 'user.email=t@example.com'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    [...author, 'commit', '--quiet', '-m', 'all'],
  ]) {
    expect(run(folder, 'git', ...args)).toMatchObject({ status: 0 });
    // The patterns for folders in .gitignore do not match a link.
    if (args[0] === 'init') writeFileSync(join(folder, '.git/info/exclude'), 'node_modules\n');
  }
  return folder;
}
