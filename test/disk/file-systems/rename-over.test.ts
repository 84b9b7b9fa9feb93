import { existsSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { renameNoReplace } from '../../../src/disk/file-systems/rename-no-replace.js';
import { removeFile, renameOver } from '../../../src/disk/file-systems/rename-over.js';
import { replaceFsCalls, failing, processIs, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

let [from, to] = ['', ''];
beforeEach(() => {
  const folder = scratchFolder();
  [from, to] = [join(folder, 'draft'), join(folder, 'name')];
  writeFileSync(from, 'new');
});

/** Wraps `call`: the first `times` calls throw `code`. */
function afterFailures<A extends readonly unknown[]>(
  times: number,
  code: string,
  call: (...args: A) => void,
): { readonly call: (...args: A) => void; readonly tries: () => number } {
  let tries = 0;
  return {
    call: (...args) => {
      tries += 1;
      if (tries <= times) throw systemError(code);
      call(...args);
    },
    tries: () => tries,
  };
}

function thrown(act: (from: string, to: string) => unknown): unknown {
  try {
    act(from, to);
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error;
  }
  return undefined;
}

describe('a file that another program has open', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('is retried on Windows, %s', (code) => {
    processIs({ platform: 'win32' });
    let [renames, removals] = [(): number => 0, (): number => 0];
    replaceFsCalls(({ renameSync, rmSync }) => {
      const rename = afterFailures(2, code, renameSync);
      const remove = afterFailures(2, code, rmSync);
      [renames, removals] = [rename.tries, remove.tries];
      return { renameSync: rename.call, rmSync: remove.call };
    });
    renameOver(from, to);
    expect(readFileSync(to, 'utf8')).toBe('new');
    removeFile(to);
    expect([existsSync(to), renames(), removals()]).toEqual([false, 3, 3]);
  });

  it('fails after twenty attempts', () => {
    processIs({ platform: 'win32' });
    let tries = (): number => 0;
    replaceFsCalls(({ renameSync }) => {
      const rename = afterFailures(20, 'EBUSY', renameSync);
      tries = rename.tries;
      return { renameSync: rename.call };
    });
    expect([thrown(renameOver), tries()]).toEqual(['EBUSY', 20]);
  });

  it.each([
    ['linux', 'EBUSY'],
    ['win32', 'ENOSPC'],
  ] as const)('is not retried on %s with %s', (platform, code) => {
    processIs({ platform });
    let tries = (): number => 0;
    replaceFsCalls(({ renameSync }) => {
      const rename = afterFailures(1, code, renameSync);
      tries = rename.tries;
      return { renameSync: rename.call };
    });
    expect([thrown(renameOver), tries()]).toEqual([code, 1]);
  });

  it('is not removed if it does not exist', () => {
    removeFile(to);
    expect(existsSync(to)).toBe(false);
  });
});

describe('a new name', () => {
  const noLinks = ['EPERM', 'EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'];

  it('is created if it does not exist; the draft may remain', () => {
    expect([renameNoReplace(from, to), readFileSync(to, 'utf8')]).toEqual(['given', 'new']);
  });

  it('is rejected if it exists, and the file stays', () => {
    writeFileSync(to, 'theirs');
    expect([renameNoReplace(from, to), readFileSync(to, 'utf8')]).toEqual(['taken', 'theirs']);
  });

  it('is rejected if a broken link has the name', () => {
    symlinkSync('nothing', to);
    expect([renameNoReplace(from, to), readlinkSync(to)]).toEqual(['taken', 'nothing']);
  });

  it.each(noLinks)('is created by a rename if hard links are not supported, %s', (code) => {
    replaceFsCalls(() => ({ linkSync: failing(code) }));
    expect([renameNoReplace(from, to), readFileSync(to, 'utf8'), existsSync(from)]).toEqual([
      'given',
      'new',
      false,
    ]);
  });

  it.each(noLinks)('is rejected there too if a file has it, %s', (code) => {
    writeFileSync(to, 'theirs');
    replaceFsCalls(() => ({ linkSync: failing(code) }));
    expect([renameNoReplace(from, to), readFileSync(to, 'utf8')]).toEqual(['taken', 'theirs']);
  });

  it.each(['EIO', 'ENOSPC', 'EXDEV'])('is not created if the disk reports %s', (code) => {
    replaceFsCalls(() => ({ linkSync: failing(code) }));
    expect([thrown(renameNoReplace), existsSync(from)]).toEqual([code, true]);
  });
});
