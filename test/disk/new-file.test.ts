import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../src/core/result.js';
import { writeNewFile } from '../../src/disk/new-file.js';
import { replaceFsCalls, failing } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';

let dir = '';
let path = '';
beforeEach(() => {
  dir = scratchFolder();
  path = join(dir, 'config.yaml');
});

const modeOf = (each: string): number => statSync(each).mode & 0o777;

const elsewhere = 'name another file';

function unwritten(message: string, hint?: string): object {
  const code = 'dir/not-writable';
  return failure({ code, severity: 'error', message, ...(hint !== undefined && { hint }) });
}

describe('a new file', () => {
  it('has mode 0600', () => {
    expect(writeNewFile(path, 'text\n', elsewhere)).toEqual(success(undefined));
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['text\n', 0o600]);
  });

  it('gets its parent folders with mode 0700', () => {
    const below = join(dir, 'a/b/config.yaml');
    expect(writeNewFile(below, 'text\n', elsewhere)).toEqual(success(undefined));
    expect([join(dir, 'a'), join(dir, 'a/b'), below].map(modeOf)).toEqual([0o700, 0o700, 0o600]);
  });

  it('is not written if its folder cannot be created', () => {
    writeFileSync(join(dir, 'file'), 'mine');
    const hint = 'grant write permission, and run the command again';
    const message = `cannot make ${join(dir, 'file')}: it already exists`;
    expect(writeNewFile(join(dir, 'file/config.yaml'), 'text', elsewhere)).toEqual(unwritten(message, hint));
    replaceFsCalls(() => ({ mkdirSync: failing('EROFS') }));
    const refused = `cannot make ${join(dir, 'new')}: the file system is read-only`;
    expect(writeNewFile(join(dir, 'new/config.yaml'), 'text', elsewhere)).toEqual(unwritten(refused, hint));
  });

  it('is not written if no file can be created', () => {
    replaceFsCalls(() => ({ openSync: failing('EACCES') }));
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(
      unwritten(`cannot write ${path}: permission denied`),
    );
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is removed and closed after a write error', () => {
    const closed: number[] = [];
    replaceFsCalls(({ closeSync }) => ({
      writeFileSync: failing('ENOSPC'),
      closeSync: (file) => {
        closed.push(file);
        closeSync(file);
      },
    }));
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(
      unwritten(`cannot write ${path}: the disk is full`),
    );
    expect([readdirSync(dir), closed.length]).toEqual([[], 1]);
  });

  it('may be missing already after a write error', () => {
    replaceFsCalls(({ rmSync }) => ({
      writeFileSync: () => {
        rmSync(path);
        failing('ENOSPC')();
      },
    }));
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(
      unwritten(`cannot write ${path}: the disk is full`),
    );
  });
});

describe('an existing file', () => {
  const there = (): object =>
    failure({
      code: 'dir/file-exists',
      severity: 'error',
      message: `${path} already exists and is not overwritten`,
      hint: elsewhere,
    });

  it('is kept', () => {
    writeFileSync(path, 'mine');
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(there());
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  it('is kept if it is a folder or a broken link', () => {
    mkdirSync(path);
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(there());
    const target = join(dir, 'nowhere');
    path = join(dir, 'link');
    symlinkSync(target, path);
    expect(writeNewFile(path, 'text', elsewhere)).toEqual(there());
    expect(existsSync(target)).toBe(false);
  });
});
