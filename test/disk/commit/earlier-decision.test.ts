import { chmodSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { recover } from '../../../src/disk/commit.js';
import { completedFirst, filesOf, folderOfBefore, pending, refused, untouched } from './committed-folder.js';

let dir = '';
beforeEach(() => {
  dir = folderOfBefore();
});

const blocked = (reason: string, details: object = {}): object =>
  refused('dir/unfinished', `an earlier run was interrupted and its outputs are incomplete: ${reason}`, {
    hint: completedFirst,
    ...details,
  });

describe('a commit decided by an earlier run', () => {
  /** Writes the plan of an earlier commit; the `staged` files are not in place. */
  function decided(steps: readonly object[], staged: readonly string[] = []): void {
    mkdirSync(join(dir, pending), { mode: 0o700 });
    for (const name of staged) writeFileSync(join(dir, pending, name), `staged ${name}`, { mode: 0o600 });
    writeFileSync(join(dir, pending, 'plan.json'), JSON.stringify(steps), { mode: 0o600 });
  }

  it('waits if a path is blocked', () => {
    decided([{ path: 'auth/b', staged: '0' }], ['0']);
    writeFileSync(join(dir, 'auth'), '');
    const at = { file: 'auth/b' };
    expect(recover(dir)).toEqual(blocked('cannot write auth/b: auth is a file, not a folder', { at }));
    expect(readdirSync(join(dir, pending)).toSorted()).toEqual(['0', 'plan.json']);
    rmSync(join(dir, 'auth'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(filesOf(dir)).toEqual({ ...untouched, 'auth/b': 'staged 0' });
  });

  it('is not completed if other users could have written it', () => {
    decided([{ path: 'a', staged: '0' }], ['0']);
    chmodSync(join(dir, pending, '0'), 0o666);
    expect(recover(dir)).toMatchObject({ ok: false, problems: [{ code: 'dir/untrusted' }] });
    expect(filesOf(dir)).toMatchObject(untouched);
  });

  it('creates no folder for files to remove', () => {
    decided([{ path: 'new/deep/old' }, { path: 'removed' }]);
    expect(recover(dir)).toEqual(success(undefined));
    expect(readdirSync(dir)).toEqual(['a']);
  });

  it('is written through a link to another folder of the directory', () => {
    decided([{ path: 'link/b', staged: '0' }, { path: 'link/c' }], ['0']);
    mkdirSync(join(dir, 'real'));
    writeFileSync(join(dir, 'real/c'), '');
    symlinkSync('real', join(dir, 'link'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(filesOf(dir)).toEqual({ ...untouched, 'link/b': 'staged 0', 'real/b': 'staged 0' });
  });

  it('does not exist if the directory is missing', () => {
    expect(recover(join(dir, 'missing'))).toEqual(blocked('it does not exist'));
    expect(recover(dir)).toEqual(success(undefined));
    expect(filesOf(dir)).toEqual(untouched);
  });
});
