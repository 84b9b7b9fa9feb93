import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import { publicFile, secretFile } from '../../src/core/output-file.js';
import { commit, recover } from '../../src/disk/commit.js';
import { replaceFsCalls, failing } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

it('writes files with their modes, in folders with mode 0700, and removes old files', () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'old.txt'), 'old');

  const result = commit(dir, {
    writes: [publicFile('worker.ign', '{}'), secretFile('auth/kubeconfig', 'secret')],
    removals: ['old.txt', 'never-there.txt'],
  });

  expect(result.ok).toBe(true);
  expect(readdirSync(dir).toSorted()).toEqual(['auth', 'worker.ign']);
  expect(readFileSync(join(dir, 'auth/kubeconfig'), 'utf8')).toBe('secret');
  expect(
    ['worker.ign', 'auth', 'auth/kubeconfig'].map((path) => statSync(join(dir, path)).mode & 0o777),
  ).toEqual([0o644, 0o700, 0o600]);
});

it('removes existing files at its staging paths', () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, '.sno-install-pending'), 'in the way');

  const result = commit(dir, { writes: [publicFile('x/y/worker.ign', '{}')], removals: [] });

  expect(result.ok).toBe(true);
  expect(readFileSync(join(dir, 'x/y/worker.ign'), 'utf8')).toBe('{}');
});

it('reports a problem if a folder has the name of a target', () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'auth'), 'a file where a folder must stand');

  const result = commit(dir, { writes: [secretFile('auth/kubeconfig', 'secret')], removals: [] });

  expect(!result.ok && result.problems.map(({ code }) => code)).toEqual(['dir/not-writable']);
});

it('completes decided commits and rolls back undecided ones', () => {
  const decided = scratchFolder();
  mkdirSync(join(decided, '.sno-install-pending'));
  writeFileSync(join(decided, '.sno-install-pending/1'), 'second');
  const steps = [
    { path: 'first.txt', staged: '0' },
    { path: 'auth/second.txt', staged: '1' },
    { path: 'gone.txt' },
  ];
  writeFileSync(join(decided, '.sno-install-pending/plan.json'), JSON.stringify(steps));
  writeFileSync(join(decided, 'first.txt'), 'first, renamed before the crash');
  writeFileSync(join(decided, 'gone.txt'), 'x');

  const undecided = scratchFolder();
  mkdirSync(join(undecided, '.sno-install-pending'));
  writeFileSync(join(undecided, '.sno-install-pending/0'), 'half');

  expect(recover(decided).ok && recover(undecided).ok).toBe(true);
  expect(readdirSync(decided, { recursive: true }).toSorted()).toEqual([
    'auth',
    'auth/second.txt',
    'first.txt',
  ]);
  expect(readdirSync(undecided)).toEqual([]);
});

it('the next run completes a commit that fails after its decision', () => {
  const dir = scratchFolder();
  let syncs = 0;
  replaceFsCalls(({ fsyncSync }) => ({
    fsyncSync: (file) => {
      syncs += 1;
      // The order is: the file, the plan, the pending folder, and the pending folder again once the plan is in place.
      if (syncs === 4) failing('EIO')();
      fsyncSync(file);
    },
  }));
  expect(commit(dir, { writes: [publicFile('a', 'new')], removals: [] })).toMatchObject({
    ok: false,
    problems: [{ message: `cannot write in ${dir}: input/output error` }],
  });
  expect(readdirSync(join(dir, '.sno-install-pending')).toSorted()).toEqual(['0', 'plan.json']);
  expect([recover(dir).ok, readdirSync(dir)]).toEqual([true, ['a']]);
});

it('closes all files', () => {
  let open = 0;
  replaceFsCalls((real) => ({
    openSync: (path, flags, mode) => {
      open += 1;
      return real.openSync(path, flags, mode);
    },
    closeSync: (file) => {
      open -= 1;
      real.closeSync(file);
    },
  }));
  const dir = scratchFolder();
  expect(commit(dir, { writes: [publicFile('a/b', 'new')], removals: ['c'] }).ok).toBe(true);
  expect(open).toBe(0);
});
