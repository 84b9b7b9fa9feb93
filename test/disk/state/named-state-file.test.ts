import { chmodSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { emptyState, serializeState } from '../../../src/disk/state/state-file.js';
import { changeState, readExistingState, type StateLocation } from '../../../src/disk/state/change-state.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { refusal } from './refusal.js';

const ownName = '.sno-install-state.json';
const state = { ...emptyState, generatedValues: { 'key/a': 'A' } };
const text = serializeState(state);

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, contents = text): string {
  const path = join(dir, name);
  writeFileSync(path, contents, { mode: 0o600 });
  return path;
}

const readNamed = (named: Partial<StateLocation> = {}) =>
  readExistingState({ dir, access: noAccess, ...named });

const absent = (path: string): object =>
  refusal('state/absent', `state file not found: ${path}`, { hint: 'name its directory with --dir' });

describe('a named state file', () => {
  it('is the state file of the directory, or the file itself', async () => {
    const want = success({ state, text, sha256: sha256(text) });
    lay(ownName);
    expect(await readNamed()).toEqual(want);
    const stateFile = lay('other.json');
    expect(await readNamed({ dir: '/nowhere', stateFile })).toEqual(want);
  });

  it('is reported with its expected path', async () => {
    expect(await readNamed()).toEqual(absent(join(dir, ownName)));
    const stateFile = relative('.', join(dir, 'other.json'));
    expect(await readNamed({ stateFile })).toEqual(absent(stateFile));
  });

  it('is reported by its name in its directory, and by its full path elsewhere', async () => {
    const path = lay('other.json', 'text');
    lay(ownName, 'text');
    const hint = 'restore it from a backup; moving it away creates a new cluster with new keys';
    const problemFor = (file: string): object => {
      const message = `the state file ${file} is not valid: it is not JSON`;
      return refusal('dir/state-unreadable', message, { at: { file }, hint });
    };
    expect(await readNamed()).toEqual(problemFor(ownName));
    expect(await readNamed({ stateFile: relative('.', path) })).toEqual(problemFor(path));
  });

  it('is returned with its problems', async () => {
    chmodSync(lay(ownName), 0o644);
    replaceFsCalls(() => ({ chmodSync: failing('EROFS') }));
    const warnings = [{ code: 'dir/state-exposed', at: { file: ownName } }];
    expect(await readNamed()).toMatchObject({ ok: true, warnings });
  });

  it('is never an external state', async () => {
    lay(ownName);
    const nothing = (): never => {
      throw new Error('nothing is read or changed');
    };
    const outside = { shownAs: '--state -', read: nothing };
    const access = { ...noAccess, outside };
    const hint = 'name the file with --state FILE, or its directory with --dir';
    const want = refusal('usage/unknown-argument', 'a state file is needed, not --state -', { hint });
    expect(await readNamed({ access })).toEqual(want);
    const change = { dir, access, command: 'sno-install state encrypt' };
    expect(await changeState(change, nothing)).toEqual(want);
  });
});
