import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { publicFile, secretFile } from '../../../src/core/output-file.js';
import { success } from '../../../src/core/result.js';
import { commit, recover } from '../../../src/disk/commit.js';
import { replaceFsCalls, failing, systemError } from '../../support/other-system.js';
import { completedFirst, filesOf, folderOfBefore, pending, refused, untouched } from './committed-folder.js';

const writes = [publicFile('a', 'new a'), secretFile('auth/b', 'new b')];
const change = { writes, removals: ['removed'] };

let dir = '';
beforeEach(() => {
  dir = folderOfBefore();
});

const complete = { a: 'new a', 'auth/b': 'new b' };

/** Until the test ends, calls `first` before each rename to a file of that name. */
function renamingTo(name: string, first: () => void): void {
  replaceFsCalls(({ renameSync: real }) => ({
    renameSync: (from, to) => {
      if (basename(String(to)) === name) first();
      real(from, to);
    },
  }));
}

const notWritable = (message: string): object =>
  refused('dir/not-writable', message, {
    hint: 'free disk space or grant write permission, and run the command again',
  });

const unfinished = (reason: string): object =>
  refused('dir/unfinished', `not all outputs were written: ${reason}`, { hint: completedFirst });

describe('a commit that fails before its decision', () => {
  it.each([
    ['writeSync', 'ENOSPC', 'the disk is full'],
    ['renameSync', 'EIO', 'input/output error'],
    ['fsyncSync', 'EDQUOT', 'the disk quota is exceeded'],
  ])('changes no file: %s, %s', (call, code, reason) => {
    replaceFsCalls(() => ({ [call]: failing(code) }));
    expect(commit(dir, change)).toEqual(notWritable(`cannot write in ${dir}: ${reason}`));
    expect(filesOf(dir)).toEqual(untouched);
    expect(readdirSync(dir)).toEqual(['a', 'removed']);
  });

  it('reports every path that is not writable, and stages no files', () => {
    mkdirSync(join(dir, 'folder'));
    replaceFsCalls(() => ({ writeSync: failing('EIO') }));
    const result = commit(dir, { writes: [publicFile('folder', ''), publicFile('../x', '')], removals: [] });
    expect(result).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'dir/not-writable',
          message: 'cannot write folder: it is a folder',
          at: { file: 'folder' },
        },
        { message: 'cannot write ../x: it is not a path below the directory', at: { file: '../x' } },
      ],
    });
    expect(readdirSync(dir)).toEqual(['a', 'folder', 'removed']);
  });

  it('needs a directory, unless there are no changes', () => {
    const missing = join(dir, 'missing');
    expect(commit(missing, change)).toEqual(notWritable(`cannot write in ${missing}: it does not exist`));
    expect(commit(missing, { writes: [], removals: [] })).toEqual(success(undefined));
    expect(commit(missing, { writes: [], removals: ['a'] }).ok).toBe(false);
    expect(commit(missing, { writes: [publicFile('a', '')], removals: [] }).ok).toBe(false);
  });
});

describe('a commit that fails after its decision', () => {
  const failingOnce = (name: string, code: string): void => {
    let isFirst = true;
    renamingTo(name, () => {
      if (!isFirst) return;
      isFirst = false;
      throw systemError(code);
    });
  };

  it('reports the written files, and the next run completes it', () => {
    failingOnce('b', 'EIO');
    const reason = 'input/output error; written: a; missing: auth/b, removed';
    expect(commit(dir, change)).toEqual(unfinished(reason));
    expect(filesOf(dir)).toEqual({
      a: 'new a',
      removed: 'old',
      [`${pending}/1`]: 'new b',
      [`${pending}/plan.json`]: JSON.stringify([
        { path: 'a', staged: '0' },
        { path: 'auth/b', staged: '1' },
        { path: 'removed' },
      ]),
    });
    expect(recover(dir)).toEqual(success(undefined));
    expect([filesOf(dir), readdirSync(dir)]).toEqual([complete, ['a', 'auth']]);
  });

  it('reports that no file was written', () => {
    failingOnce('a', 'ENOSPC');
    const reason = 'the disk is full; no file is written yet; missing: a, auth/b, removed';
    expect(commit(dir, change)).toEqual(unfinished(reason));
  });

  it('lists all written files', () => {
    replaceFsCalls(({ rmSync: real }) => ({
      rmSync: (path, options) => {
        if (basename(String(path)) === 'removed') failing('EPERM')();
        real(path, options);
      },
    }));
    const reason = 'operation not permitted; written: a, auth/b; missing: removed';
    expect(commit(dir, change)).toEqual(unfinished(reason));
  });

  it('does not follow a link that replaced a folder', () => {
    renamingTo('plan.json', () => {
      writeFileSync(join(dir, 'auth'), '');
    });
    const reason = 'auth is a file, not a folder; written: a; missing: auth/b, removed';
    expect(commit(dir, change)).toEqual(unfinished(reason));
  });

  it('is complete even if its plan file remains', () => {
    replaceFsCalls(({ rmSync: real }) => ({
      rmSync: (path, options) => {
        if (basename(String(path)) === 'plan.json') failing('EPERM')();
        real(path, options);
      },
    }));
    const reason = 'operation not permitted; written: a, auth/b, removed; missing: nothing';
    expect(commit(dir, change)).toEqual(unfinished(reason));
    expect(filesOf(dir)).toMatchObject(complete);
  });
});

it('syncs files before the decision, and before it deletes the plan', () => {
  const done: string[] = [];
  const names = new Map<number, string>();
  replaceFsCalls(({ openSync, fsyncSync, renameSync: rename, rmSync: remove }) => ({
    openSync: (path, flags, mode) => {
      const file = openSync(path, flags, mode);
      names.set(file, basename(String(path)) === basename(dir) ? 'directory' : basename(String(path)));
      return file;
    },
    fsyncSync: (file) => {
      done.push(`sync ${statSync(`/proc/self/fd/${file}`).isFile() ? names.get(file) : 'folder'}`);
      fsyncSync(file);
    },
    renameSync: (from, to) => {
      done.push(`name ${basename(String(to))}`);
      rename(from, to);
    },
    rmSync: (path, options) => {
      done.push(`remove ${basename(String(path))}`);
      remove(path, options);
    },
  }));
  expect(commit(dir, change)).toEqual(success(undefined));
  expect(done).toEqual([
    `remove ${pending}`,
    ...['sync 0', 'sync 1', 'sync plan.json.draft', 'sync folder', 'name plan.json', 'sync folder'],
    ...['name a', 'name b', 'remove removed', 'sync folder', 'sync folder'],
    ...['remove plan.json', `remove ${pending}`],
  ]);
});
