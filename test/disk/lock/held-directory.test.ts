import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { takeLock } from '../../../src/disk/lock/lock.js';
import { replaceFsCalls, failing, trackOpenFiles } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { neverWaiting, notLocked, lockedNow } from './laid-claims.js';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

const taking = () => takeLock(dir, 'sno-install validate');

const notWritable = (reason: string): object =>
  notLocked('dir/not-writable', `cannot write in ${dir}: ${reason}`, 'name another directory with --dir');

describe('a locked directory', () => {
  it('names its holder to every user with access', async () => {
    const options: unknown[] = [];
    replaceFsCalls(({ writeFileSync: real }) => ({
      writeFileSync: (path, text, how) => {
        options.push(how);
        real(path, text, how);
      },
    }));
    const lock = expectOk(await taking());
    const [claim = '', holder = '', ...rest] = readdirSync(dir).toSorted();
    expect([holder, rest]).toEqual([`${claim}.holder`, []]);
    const said: unknown = JSON.parse(readFileSync(join(dir, holder), 'utf8'));
    expect(said).toEqual({ pid: process.pid, host: hostname(), command: 'sno-install validate' });
    expect(options).toEqual([{ flag: 'wx', mode: 0o644 }]);
    lock.release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('keeps its files open until its release', async () => {
    const open = trackOpenFiles();
    const lock = expectOk(await taking());
    expect(open.size).toBe(1);
    lock.release();
    expect(open.size).toBe(0);
  });

  it('is not kept locked by child processes', async () => {
    expectOk(await taking());
    const open = trackOpenFiles();
    expect(await taking()).toMatchObject({ ok: false, problems: [{ code: 'dir/locked' }] });
    expect(open.size).toBe(0);
  });
});

describe('a directory is not locked', () => {
  it('if each claim is removed before it is complete', async () => {
    const waited = neverWaiting();
    let claims = 0;
    replaceFsCalls(() => ({
      chmodSync: () => {
        claims += 1;
        failing('ENOENT')();
      },
    }));
    expect(await taking()).toEqual(lockedNow(dir, '.sno-install.lock'));
    expect([claims, waited()]).toEqual([50, 0]);
  });

  it.each([
    {
      name: 'it cannot be listed',
      call: 'readdirSync',
      code: 'EIO',
      reason: 'input/output error',
    },
    {
      name: 'its holders cannot be determined',
      call: 'writeFileSync',
      code: 'ENOSPC',
      reason: 'the disk is full',
    },
    { name: 'it cannot be opened', call: 'openSync', code: 'EACCES', reason: 'permission denied' },
  ])('if $name, and the claim is removed', async ({ call, code, reason }) => {
    const open = trackOpenFiles();
    let left = (): readonly string[] => ['not looked at'];
    replaceFsCalls((real) => {
      left = () => real.readdirSync(dir);
      return { [call]: failing(code) };
    });
    expect(await taking()).toEqual(notWritable(reason));
    expect([open.size, left()]).toEqual([0, []]);
  });

  it('if it does not accept a claim', async () => {
    replaceFsCalls(() => ({ chmodSync: failing('EPERM'), writeFileSync: failing('EROFS') }));
    expect(await taking()).toEqual(notWritable('the file system is read-only'));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('if the holder file cannot be written, and is free for the next run', async () => {
    let isFull = true;
    replaceFsCalls(({ writeFileSync: real }) => ({
      writeFileSync: (path, text, options) => {
        if (isFull && String(path).endsWith('.holder')) failing('ENOSPC')();
        real(path, text, options);
      },
    }));
    expect(await taking()).toEqual(notWritable('the disk is full'));
    expect(readdirSync(dir)).toEqual([]);
    isFull = false;
    expectOk(await taking()).release();
  });

  it('if an earlier version holds it', async () => {
    const place = join(dir, '.sno-install.lock');
    writeFileSync(place, '');
    const hint = 'if no other run uses the directory, delete it';
    const message = `${place} exists, a lock file of an earlier version`;
    expect(await taking()).toEqual(notLocked('dir/locked', message, hint));
  });
});
