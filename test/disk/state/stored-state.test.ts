import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { noAccess, type StateAccess } from '../../../src/disk/state/state-access.js';
import {
  emptyState,
  readExternalState,
  readState,
  serializeState,
  stateFileName,
} from '../../../src/disk/state/state-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { ageKeys } from '../../support/age-keys.js';
import { replaceFsCalls } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { fault, refusal } from './refusal.js';
import { damaged, sealedTo } from './sealed-bytes.js';

const { ours, others } = ageKeys;
const state = { ...emptyState, generatedValues: { 'key/a': 'A' } };
const text = serializeState(state);
const at = { file: 'state.json' };
const wayOut = 'restore it from a backup; moving it away creates a new cluster with new keys';

let path = '';
beforeEach(() => {
  path = join(scratchFolder(), 'state.json');
});

function lay(contents: string | Uint8Array, mode = 0o600): void {
  writeFileSync(path, contents, { mode });
}

function holding(identity: string): StateAccess {
  return { ...noAccess, keys: () => Promise.resolve(success({ identities: [identity], passphrases: [] })) };
}

describe('a stored state', () => {
  it('has one name in a directory', () => {
    expect(stateFileName).toBe('.sno-install-state.json');
  });

  it('has its content and its kind of encryption', async () => {
    lay(text);
    const plain = { state, text, sha256: sha256(text) };
    expect(await readState(path, 'state.json')).toStrictEqual(success(plain));
    const sealed = await sealedTo(text, ours.recipient);
    lay(sealed);
    const want = { state, text, sealedBy: 'recipients', sha256: sha256(sealed) };
    expect(await readState(path, 'state.json', holding(ours.identity))).toStrictEqual(success(want));
  });

  it('is rejected if it cannot be read', async () => {
    mkdirSync(path);
    const message = 'cannot read the state file state.json: it is a folder, not a file';
    const hint = 'make the file readable and run the command again; it contains the keys of the cluster';
    const want = refusal('dir/state-unreadable', message, { at, hint });
    expect(await readState(path, 'state.json')).toStrictEqual(want);
  });

  it('is rejected if it cannot be decrypted', async () => {
    lay(await sealedTo(text, ours.recipient));
    const messages = [
      await readState(path, 'state.json'),
      await readState(path, 'state.json', holding(others.identity)),
    ];
    expect(messages).toMatchObject([
      { ok: false, problems: [{ code: 'state/no-identity', at }] },
      { ok: false, problems: [{ code: 'state/wrong-identity', at }] },
    ]);
  });
});

describe('a state that other users can write', () => {
  const hint = 'if it is yours, correct this with `chown` or `chmod go-w`, otherwise use another directory';
  const untrusted = (reason: string): object =>
    refusal('dir/untrusted', `the state file state.json is not used: ${reason}`, { at, hint });

  it('is rejected and not changed', async () => {
    lay(text);
    chmodSync(path, 0o620);
    const want = untrusted('other users can write to it (mode 0620)');
    expect(await readState(path, 'state.json')).toStrictEqual(want);
    expect(statSync(path).mode & 0o777).toBe(0o620);
  });

  it('is rejected if its owner is not the owner of the folder', async () => {
    lay(text);
    replaceFsCalls(({ fstatSync }) => ({
      fstatSync: ((file: number) => {
        const stats = fstatSync(file);
        return Object.assign(stats, { uid: stats.uid + 7 });
      }) as never,
    }));
    const stranger = statSync(path).uid + 7;
    const want = untrusted(`it belongs to user ${stranger}, neither you nor the owner of its folder`);
    expect(await readState(path, 'state.json')).toStrictEqual(want);
  });
});

describe('an external state', () => {
  const from = (bytes: Uint8Array, access = noAccess) =>
    readExternalState({ shownAs: '--state -', read: () => Promise.resolve(success(bytes)) }, access);

  it('has its content and its kind of encryption', async () => {
    expect(await from(Buffer.from(text))).toStrictEqual(success({ state, text, sha256: sha256(text) }));
    const sealed = await sealedTo(text, ours.recipient);
    const want = { state, text, sealedBy: 'recipients', sha256: sha256(sealed) };
    expect(await from(sealed, holding(ours.identity))).toStrictEqual(success(want));
  });

  it('is rejected if it cannot be read', async () => {
    const problem = refusal('state/command', 'the command ended with 1', { at, hint: 'see what it says' });
    const read = () => Promise.resolve(problem);
    expect(await readExternalState({ shownAs: '--state -', read }, noAccess)).toBe(problem);
  });

  it('is reported without a file location if it is invalid', async () => {
    const torn = 'the state file --state - is not valid: it is not JSON';
    expect(await from(Buffer.from('{'))).toStrictEqual(
      refusal('dir/state-unreadable', torn, { hint: wayOut }),
    );
    const version = '--state - has state version 3, expected version 2';
    expect(await from(Buffer.from('{"version":3}'))).toStrictEqual(refusal('dir/state-version', version));
    const changed = damaged(await sealedTo(text, ours.recipient));
    const message = 'the state file --state - is not valid: it is encrypted, and damaged';
    const want = refusal('dir/state-unreadable', message, { hint: 'restore it from a backup' });
    expect(await from(changed, holding(ours.identity))).toStrictEqual(want);
  });

  it('is decrypted with the given keys, or reports each problem of the keys', async () => {
    const problems = failure(
      fault('state/identity', 'one', { at, hint: 'two' }),
      fault('state/identity', 'three'),
    );
    const access = { ...noAccess, keys: () => Promise.resolve(problems) };
    expect(await from(await sealedTo(text, ours.recipient), access)).toStrictEqual(
      failure(fault('state/identity', 'one', { hint: 'two' }), fault('state/identity', 'three')),
    );
  });
});
