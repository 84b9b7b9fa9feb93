import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { describe, expect, it } from 'vitest';

import { failure, type Failure } from '../../src/core/result.js';
import { openDirectory } from '../../src/disk/directory.js';
import { processIs } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';

const command = 'sno-install create';
const pending = '.sno-install-pending';

/** Writes the plan of a run that died after its decision. */
function decide(dir: string, steps: readonly { readonly path: string; readonly staged?: string }[]): void {
  mkdirSync(join(dir, pending), { mode: 0o700 });
  for (const { staged } of steps)
    if (staged !== undefined) writeFileSync(join(dir, pending, staged), `staged ${staged}`, { mode: 0o600 });
  writeFileSync(join(dir, pending, 'plan.json'), JSON.stringify(steps), { mode: 0o600 });
}

function notMade(dir: string, reason: string): Failure {
  const message = `cannot create the directory ${dir}: ${reason}`;
  const hint = 'name another directory with --dir';
  return failure({ code: 'dir/not-writable', severity: 'error', message, hint });
}

describe('a missing directory', () => {
  it('is created with mode 0700, and removed if no file was written', async () => {
    const root = scratchFolder();
    mkdirSync(join(root, 'a'));
    const lock = expectOk(await openDirectory(relative('.', join(root, 'a/b/c')), command));
    expect(['a/b', 'a/b/c'].map((path) => statSync(join(root, path)).mode & 0o777)).toEqual([0o700, 0o700]);
    lock.release();
    expect(readdirSync(join(root, 'a'))).toEqual([]);
  });

  it('is kept with the written files', async () => {
    const root = scratchFolder();
    const lock = expectOk(await openDirectory(join(root, 'a/b/c'), command));
    writeFileSync(join(root, 'a/kept'), '');
    lock.release();
    expect([existsSync(join(root, 'a/kept')), readdirSync(join(root, 'a'))]).toEqual([true, ['kept']]);
  });

  it('cannot be created below a file', async () => {
    const file = join(scratchFolder(), 'file');
    writeFileSync(file, '');
    const dir = join(file, 'a');
    const want = notMade(dir, 'a component of its path is not a folder');
    expect(await openDirectory(dir, command)).toEqual(want);
  });

  it('is not created with a reserved name of the system', async () => {
    const dir = join(scratchFolder(), 'nul');
    processIs({ platform: 'win32' });
    expect(await openDirectory(dir, command)).toEqual(notMade(dir, 'nul is a reserved name on Windows'));
    expect(existsSync(dir)).toBe(false);
  });
});

describe('an existing directory', () => {
  it('is kept if it is empty', async () => {
    const dir = scratchFolder();
    expectOk(await openDirectory(dir, command)).release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is locked by one run at a time', async () => {
    const dir = scratchFolder();
    const lock = expectOk(await openDirectory(dir, command));
    const refused = { ok: false, problems: [{ code: 'dir/locked', hint: 'wait until it has finished' }] };
    expect(await openDirectory(dir, 'another')).toMatchObject(refused);
    lock.release();
    expectOk(await openDirectory(dir, 'another')).release();
  });

  it('gets the outputs of an unfinished commit first', async () => {
    const dir = scratchFolder();
    writeFileSync(join(dir, 'old'), '');
    decide(dir, [{ path: 'auth/key', staged: '0' }, { path: 'old' }]);
    const lock = expectOk(await openDirectory(dir, command));
    expect(readFileSync(join(dir, 'auth/key'), 'utf8')).toBe('staged 0');
    lock.release();
    expect(readdirSync(dir)).toEqual(['auth']);
  });

  it('loses undecided files', async () => {
    const dir = scratchFolder();
    mkdirSync(join(dir, pending));
    writeFileSync(join(dir, pending, '0'), 'staged');
    expectOk(await openDirectory(dir, command)).release();
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is unlocked if a commit cannot be completed', async () => {
    const dir = scratchFolder();
    decide(dir, [{ path: 'key', staged: '0' }]);
    mkdirSync(join(dir, 'key'));
    expect(await openDirectory(dir, command)).toMatchObject({
      ok: false,
      problems: [{ code: 'dir/unfinished', at: { file: 'key' } }],
    });
    expect(readdirSync(dir)).toEqual([pending, 'key']);
  });
});
