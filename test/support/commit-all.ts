import { spawnSync } from 'node:child_process';

import { expect } from 'vitest';

/** Commits all files of a folder on branch `main`, in a new repository if the folder has none. */
export function commitAll(folder: string): void {
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const git = (...args: readonly string[]): void => {
    const { status, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args]);
    expect([status, stderr.toString()]).toEqual([0, expect.anything()]);
  };
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('commit', '-q', '--allow-empty', '-m', 'sites');
}
