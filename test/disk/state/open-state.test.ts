import { beforeEach, describe, expect, it } from 'vitest';

import { success, type Result } from '../../../src/core/result.js';
import { openFile, openFileSealed, openState } from '../../../src/disk/state/open-state.js';
import { noAccess, type StateAccess } from '../../../src/disk/state/state-access.js';
import type { AgeKeys } from '../../../src/formats/age.js';
import { ageKeys } from '../../support/age-keys.js';
import { refusal } from './refusal.js';
import { damaged, sealedByPassphrase, sealedTo } from './sealed-bytes.js';
import { unreadableFailure } from '../../support/unreadable-file.js';

const { ours, others } = ageKeys;
const at = { file: 'state.json' };

/** Access with keys and without a terminal. */
function holding(keys: Partial<AgeKeys>, more: Partial<StateAccess> = {}): StateAccess {
  const all = { identities: [], passphrases: [], ...keys };
  return { ...noAccess, keys: () => Promise.resolve(success(all)), ...more };
}

/** Access with a terminal that answers with this; `prompts` lists the files it was asked about. */
function typing(answer: Result<string>, keys: Partial<AgeKeys> = {}) {
  const prompts: string[] = [];
  const ask = (shownAs: string): Promise<Result<string>> => {
    prompts.push(shownAs);
    return Promise.resolve(answer);
  };
  return { prompts, access: holding(keys, { ask }) };
}

const knowing = (passphrase: string): Partial<StateAccess> => ({
  passphrase: () => Promise.resolve(success(passphrase)),
});

let toOurs: Buffer;
let byPhrase: Buffer;
beforeEach(async () => {
  toOurs = await sealedTo('gr\u00fcn', ours.recipient);
  byPhrase = await sealedByPassphrase('gr\u00fcn', 'pass');
});

const open = (bytes: Uint8Array, access: StateAccess) => openState(bytes, 'state.json', access);

describe('plain files', () => {
  const closed = (): never => {
    throw new Error('no key is needed');
  };
  const access = { ...noAccess, keys: closed, passphrase: closed };

  it('returns a state unchanged, without a key', async () => {
    expect(await open(Buffer.from('gr\u00fcn'), access)).toStrictEqual(success({ text: 'gr\u00fcn' }));
  });

  it('returns a file unchanged, without a key', async () => {
    const bytes = Buffer.from('gr\u00fcn');
    expect(await openFile(bytes, 'worker.ign', access)).toEqual(success(bytes));
    expect(await openFileSealed(bytes, 'worker.ign', access)).toStrictEqual(success({ bytes }));
  });
});

describe('encrypted files', () => {
  const plain = new Uint8Array(Buffer.from('gr\u00fcn'));

  it('are decrypted by an identity of one of the recipients', async () => {
    const access = holding({ identities: [others.identity, ours.identity], passphrases: ['other'] });
    expect(await open(toOurs, access)).toEqual(success({ text: 'gr\u00fcn', sealedBy: 'recipients' }));
    const opened = success({ bytes: plain, sealedBy: 'recipients' });
    expect(await openFileSealed(toOurs, 'worker.ign.age', access)).toEqual(opened);
    expect(await openFile(toOurs, 'worker.ign.age', access)).toEqual(success(plain));
  });

  it('are decrypted by the known passphrase without a prompt', async () => {
    const { prompts, access } = typing(success('other'));
    const known = { ...access, ...knowing('pass') };
    expect(await open(byPhrase, known)).toEqual(success({ text: 'gr\u00fcn', sealedBy: 'passphrase' }));
    const opened = success({ bytes: plain, sealedBy: 'passphrase' });
    expect(await openFileSealed(byPhrase, 'worker.ign.age', known)).toEqual(opened);
    expect(prompts).toEqual([]);
  });

  it('are decrypted by a typed passphrase if none or another was known', async () => {
    const { prompts, access } = typing(success('pass'));
    const want = success({ text: 'gr\u00fcn', sealedBy: 'passphrase' });
    expect(await open(byPhrase, access)).toEqual(want);
    expect(await open(byPhrase, { ...access, ...knowing('other') })).toEqual(want);
    expect(await openFile(byPhrase, 'worker.ign.age', access)).toEqual(success(plain));
    expect(prompts).toEqual(['state.json', 'state.json', 'worker.ign.age']);
  });

  it('stay encrypted if the key cannot be read', async () => {
    const none = refusal('state/passphrase', 'no passphrase was entered');
    const gives = () => Promise.resolve(none);
    for (const access of [
      holding({}, { keys: gives }),
      holding({}, { passphrase: gives }),
      holding({}, { ask: gives }),
    ]) {
      expect(await open(byPhrase, access)).toBe(none);
      expect(await openFile(byPhrase, 'worker.ign.age', access)).toBe(none);
    }
  });
});

describe('files that cannot be decrypted', () => {
  const identityHint = { at, hint: 'name a file with --identity FILE' };
  const passphraseHint = { at, hint: 'name a file with --passphrase-file FILE' };
  const need = 'is encrypted, and an identity of one of its recipients is needed to open it';

  it('are reported without an identity', async () => {
    const { prompts, access } = typing(success('pass'), { passphrases: ['pass'] });
    const want = refusal('state/no-identity', `the state file state.json ${need}`, identityHint);
    expect(await open(toOurs, holding({}))).toEqual(want);
    expect(await open(toOurs, access)).toEqual(want);
    expect(prompts).toEqual([]);
  });

  it('are reported without a passphrase', async () => {
    const message = 'the state file state.json is encrypted, and a passphrase is needed to open it';
    const want = refusal('state/no-identity', message, passphraseHint);
    expect(await open(byPhrase, holding({}))).toEqual(want);
    expect(await open(byPhrase, holding({ identities: [ours.identity] }))).toEqual(want);
  });

  it('are reported for another identity, with a hint', async () => {
    const hint = 'another recipient can add yours with `sno-install state rotate --recipient \u2026`';
    const message = 'cannot decrypt the state file state.json with any identity of --identity';
    const want = refusal('state/wrong-identity', message, { at, hint });
    const { prompts, access } = typing(success('pass'), { identities: [others.identity] });
    expect(await open(toOurs, access)).toEqual(want);
    expect(prompts).toEqual([]);
  });

  it('are reported for another passphrase, given or typed', async () => {
    const message = 'cannot decrypt the state file state.json with this passphrase';
    const want = refusal('state/wrong-identity', message, {
      at,
      hint: 'use the passphrase with which it was encrypted',
    });
    const named = typing(success('pass'), { passphrases: ['other'] });
    expect(await open(byPhrase, { ...named.access, ...knowing('other') })).toEqual(want);
    expect(named.prompts).toEqual([]);
    const typed = typing(success('other'));
    expect(await open(byPhrase, typed.access)).toEqual(want);
    expect(typed.prompts).toEqual(['state.json']);
  });

  it('are reported as a file if they are not a state', async () => {
    const message = `the file worker.ign.age ${need}`;
    const details = { ...identityHint, at: { file: 'worker.ign.age' } };
    const want = refusal('state/no-identity', message, details);
    expect(await openFile(toOurs, 'worker.ign.age', noAccess)).toEqual(want);
    expect(await openFileSealed(toOurs, 'worker.ign.age', noAccess)).toEqual(want);
  });
});

describe('damaged files', () => {
  const access = holding({ identities: [ours.identity] }, knowing('pass'));

  it('are reported with the hint to restore a copy, for a state', async () => {
    const message = 'the state file state.json is not valid: it is encrypted, and damaged';
    const want = refusal('dir/state-unreadable', message, { at, hint: 'restore it from a backup' });
    expect(await open(damaged(toOurs), access)).toEqual(want);
    expect(await open(damaged(byPhrase), access)).toEqual(want);
  });

  it('are reported as unreadable, for a file', async () => {
    const want = unreadableFailure('the file', 'worker.ign.age', 'it is encrypted, and damaged');
    expect(await openFile(damaged(toOurs), 'worker.ign.age', access)).toEqual(want);
    expect(await openFileSealed(damaged(byPhrase), 'worker.ign.age', access)).toEqual(want);
  });

  it('cause no prompt', async () => {
    const { prompts, access: terminal } = typing(success('pass'));
    const known = { ...terminal, ...knowing('pass') };
    expect(await open(damaged(byPhrase), known)).toMatchObject({ ok: false });
    expect(prompts).toEqual([]);
  });
});
