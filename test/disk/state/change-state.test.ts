import { chmodSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';

import { beforeEach, describe, expect, it } from 'vitest';

import { success, type Result } from '../../../src/core/result.js';
import { openDirectory } from '../../../src/disk/directory.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { emptyState, serializeState, type StoredState } from '../../../src/disk/state/state-file.js';
import { changeState, type StateLocation } from '../../../src/disk/state/change-state.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';
import { fault, refusal } from './refusal.js';

const ownName = '.sno-install-state.json';
const state = { ...emptyState, generatedValues: { 'key/a': 'A' } };
const text = serializeState(state);
const command = 'sno-install state encrypt';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, contents = text, mode = 0o600): string {
  const path = join(dir, name);
  writeFileSync(path, contents, { mode });
  return path;
}

type Change = (stored: StoredState) => Promise<Result<string>>;

function changed(change: Change, named: Partial<StateLocation> = {}): Promise<Result<void>> {
  return changeState({ dir, access: noAccess, command, ...named }, change);
}

const anew: Change = () => Promise.resolve(success('anew\n'));
const nothingToChange: Change = () => {
  throw new Error('there is nothing to change');
};

const absent = (path: string): object =>
  refusal('state/absent', `state file not found: ${path}`, { hint: 'name its directory with --dir' });

/** Name, contents and mode of each file; a lock would show up as a file. */
const contents = (): readonly (readonly [string, string, number])[] =>
  readdirSync(dir).map((name) => {
    const path = join(dir, name);
    return [name, readFileSync(path, 'utf8'), statSync(path).mode & 0o777];
  });

describe('a changed state file', () => {
  it('is replaced by its new text with mode 0600', async () => {
    lay(ownName);
    const given: StoredState[] = [];
    const done = await changed((stored) => {
      given.push(stored);
      return Promise.resolve(success('anew\n'));
    });
    expect(done).toEqual(success(undefined));
    expect(given).toEqual([{ state, text, sha256: sha256(text) }]);
    expect(contents()).toEqual([[ownName, 'anew\n', 0o600]]);
  });

  it('may have another name and folder', async () => {
    const stateFile = relative('.', lay('other.json'));
    expect(await changed(anew, { dir: '/nowhere', stateFile })).toEqual(success(undefined));
    expect(contents()).toEqual([['other.json', 'anew\n', 0o600]]);
  });

  it('is reported with the problems of both texts', async () => {
    chmodSync(lay(ownName), 0o644);
    replaceFsCalls(() => ({ chmodSync: failing('EROFS') }));
    const said = { ...fault('state/not-read', 'it is large'), severity: 'warning' as const };
    const done = await changed(() => Promise.resolve(success('anew\n', [said])));
    expect(done).toMatchObject({
      ok: true,
      value: undefined,
      warnings: [{ code: 'dir/state-exposed' }, said],
    });
  });

  it('is locked during the change, with the name of the command', async () => {
    lay(ownName);
    const results: Result<unknown>[] = [];
    await changed(async () => {
      results.push(await openDirectory(dir, 'another'));
      return success('anew\n');
    });
    const message = `another run uses this directory: \`${command}\`, process ${process.pid} on ${hostname()}`;
    expect(results).toEqual([refusal('dir/locked', message, { hint: 'wait until it has finished' })]);
  });
});

describe('a state file is kept', () => {
  const asItWas = [[ownName, text, 0o600]] as const;

  it('if the change fails', async () => {
    lay(ownName);
    const refused = refusal('state/already', 'it is already encrypted');
    expect(await changed(() => Promise.resolve(refused))).toBe(refused);
    expect(contents()).toEqual(asItWas);
  });

  it('if it cannot be read', async () => {
    lay(ownName, '[]');
    expect(await changed(nothingToChange)).toMatchObject({
      ok: false,
      problems: [{ code: 'dir/state-unreadable' }],
    });
    expect(contents()).toEqual([[ownName, '[]', 0o600]]);
  });

  it('if the disk is not writable', async () => {
    lay(ownName);
    const done = await changed(() => {
      replaceFsCalls(() => ({ renameSync: failing('ENOSPC') }));
      return Promise.resolve(success('anew\n'));
    });
    const message = `cannot write in ${dir}: the disk is full`;
    const hint = 'free disk space or grant write permission, and run the command again';
    expect(done).toEqual(refusal('dir/not-writable', message, { hint }));
    expect(contents()).toEqual(asItWas);
  });

  it('if another run has locked its directory', async () => {
    lay(ownName);
    const lock = expectOk(await openDirectory(dir, 'sno-install create manifests'));
    expect(await changed(nothingToChange)).toMatchObject({ ok: false, problems: [{ code: 'dir/locked' }] });
    lock.release();
    expect(contents()).toEqual(asItWas);
  });

  it('and unlocked after an error', async () => {
    lay(ownName);
    const thrown = changed(() => Promise.reject(new Error('internal error: of a test')));
    await expect(thrown).rejects.toThrow('internal error: of a test');
    expect(contents()).toEqual(asItWas);
    expectOk(await openDirectory(dir, command)).release();
  });
});

describe('a missing state file', () => {
  it('cannot be changed', async () => {
    expect(await changed(nothingToChange)).toEqual(absent(join(dir, ownName)));
    expect(readdirSync(dir)).toEqual([]);
  });

  it('is not created with its folder', async () => {
    replaceFsCalls(() => ({ mkdirSync: failing('EROFS') }));
    const folder = join(dir, 'site');
    expect(await changed(nothingToChange, { dir: folder })).toEqual(absent(join(folder, ownName)));
    const stateFile = join(folder, 'deep/other.json');
    expect(await changed(nothingToChange, { stateFile })).toEqual(absent(stateFile));
  });
});
