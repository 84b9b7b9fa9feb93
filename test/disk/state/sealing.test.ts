import { describe, expect, it } from 'vitest';

import { success, type Failure } from '../../../src/core/result.js';
import type { Seal } from '../../../src/formats/age.js';
import {
  recipientsConfigured,
  isSealed,
  withRecipients,
  outputsToReseal,
  chooseSeal,
  withOutputsToReseal,
  type SealingOptions,
} from '../../../src/disk/state/sealing.js';
import { noAccess, type StateAccess } from '../../../src/disk/state/state-access.js';
import { emptyState, type State, type StoredState } from '../../../src/disk/state/state-file.js';
import { ageKeys } from '../../support/age-keys.js';
import { fault, refusal } from './refusal.js';

// The recipient `others` sorts first.
const [later, first] = [ageKeys.ours.recipient, ageKeys.others.recipient];

function stored(more: Partial<State>, sealedBy?: StoredState['sealedBy']): StoredState {
  return { state: { ...emptyState, ...more }, text: '', sha256: '', ...(sealedBy && { sealedBy }) };
}

function wanted(order: Partial<SealingOptions>, access: Partial<StateAccess> = {}) {
  return chooseSeal({ configured: [], stored: [], ...order, access: { ...noAccess, ...access } });
}

const sealing = (seal: Seal): Partial<StateAccess> => ({ seal: () => Promise.resolve(success(seal)) });
const known: Partial<StateAccess> = { passphrase: () => Promise.resolve(success('pass')) };

function refusalWith(consequence: string): Failure {
  const message = `sno-config.yaml sets state.recipients: ${consequence}`;
  const hint = 'remove `state.recipients` from it first, or use `state decrypt --out FILE`';
  return refusal('state/recipients-configured', message, { at: { file: 'sno-config.yaml' }, hint });
}

describe('the next state is encrypted', () => {
  const kept = [stored({ recipients: [later] }, 'recipients')];

  it('to the recipients of the command line first, sorted and unique', async () => {
    const access = { ...known, ...sealing({ recipients: [later, first, later] }) };
    const want = success({ recipients: [first, later] });
    expect(await wanted({ configured: ['nobody'], stored: kept }, access)).toEqual(want);
  });

  it('with a passphrase of the command line, instead of earlier recipients', async () => {
    const want = success({ passphrase: 'new' });
    expect(await wanted({ stored: kept }, { ...known, ...sealing({ passphrase: 'new' }) })).toEqual(want);
  });

  it('to the recipients of sno-config.yaml, instead of earlier recipients', async () => {
    const order = { configured: [later, first, first], stored: [stored({ recipients: ['nobody'] })] };
    expect(await wanted(order, known)).toEqual(success({ recipients: [first, later] }));
  });

  it('to the recipients of all states that it is created from', async () => {
    const two = [...kept, stored({}), stored({ recipients: [first, later] }, 'recipients')];
    expect(await wanted({ stored: two }, known)).toEqual(success({ recipients: [first, later] }));
  });

  it('with the known passphrase if there are no recipients', async () => {
    const want = success({ passphrase: 'pass' });
    expect(await wanted({ stored: [stored({ recipients: [] }, 'passphrase')] }, known)).toEqual(want);
    expect(await wanted({}, known)).toEqual(want);
  });

  it('not without recipients and passphrase', async () => {
    expect(await wanted({})).toEqual(success(undefined));
    expect(await wanted({ stored: [stored({})] })).toEqual(success(undefined));
  });
});

describe('the encryption of the next state is rejected', () => {
  it('if recipients or passphrase of the command line cannot be read', async () => {
    const none = refusal('state/passphrase', 'no passphrase was entered');
    const gives = () => Promise.resolve(none);
    expect(await wanted({ configured: [first] }, { seal: gives })).toBe(none);
    expect(await wanted({}, { passphrase: gives })).toBe(none);
  });

  it('if sno-config.yaml has recipients, which would replace the passphrase in the next run', async () => {
    const given = await wanted({ configured: [first] }, sealing({ passphrase: 'new' }));
    expect(given).toEqual(refusalWith('the passphrase would be replaced by them in the next run'));
  });

  it('if the state names an invalid recipient', async () => {
    const form = 'is not an age recipient: write the `age1…` line that `age-keygen -y` prints';
    const message = `a recipient that the state file names ${form}`;
    const two = [stored({ recipients: [first, 'a'] }), stored({ recipients: ['b'] })];
    const problem = fault('state/recipient', message);
    expect(await wanted({ stored: two })).toEqual({ ok: false, problems: [problem, problem] });
  });

  it('if one of the states is encrypted to unknown recipients', async () => {
    const message = 'the state file is encrypted, but no recipients are set for the new one';
    const hint = 'set `state.recipients` in sno-config.yaml, or use --recipient';
    const want = refusal('state/no-recipients', message, { at: { file: '.sno-install-state.json' }, hint });
    const two = [stored({}), stored({}, 'recipients')];
    expect(await wanted({ stored: two })).toEqual(want);
    expect(await wanted({ stored: two }, known)).toEqual(want);
  });
});

it('reports a conflict with the recipients of sno-config.yaml', () => {
  expect(recipientsConfigured('it stays as it is')).toEqual(refusalWith('it stays as it is'));
});

describe('a state has the requested encryption', () => {
  const plain = stored({});
  const phrase = stored({}, 'passphrase');
  const toBoth = stored({ recipients: [first, later] }, 'recipients');
  const nobodyNamed = stored({}, 'recipients');
  const unsealed = stored({ recipients: [first, later] });
  const all = [plain, phrase, toBoth, nobodyNamed, unsealed];

  it.each<readonly [string, Seal | undefined, readonly StoredState[]]>([
    ['as plain text', undefined, [plain, unsealed]],
    ['with a passphrase', { passphrase: 'any' }, [phrase]],
    ['to the same recipients', { recipients: [first, later] }, [toBoth]],
  ])('%s, and in no other way', (_name, seal, want) => {
    expect(all.filter((each) => isSealed(each, seal))).toEqual(want);
  });

  it('not with more, fewer or other recipients', () => {
    const seals = [[first], [first, later, first], [later, first], [later], []];
    expect(seals.map((recipients) => isSealed(toBoth, { recipients }))).toEqual(seals.map(() => false));
  });
});

describe('encrypted outputs', () => {
  it('are all encrypted again with the state', () => {
    const sealed = { 'worker.ign.age': 'ab', 'auth/kubeconfig.age': '' };
    const anew = { 'worker.ign.age': '', 'auth/kubeconfig.age': '' };
    expect(outputsToReseal(sealed)).toEqual(anew);
    expect(outputsToReseal()).toEqual({});
    expect(withOutputsToReseal({ ...emptyState, sealed })).toEqual({
      ...emptyState,
      sealed,
      mustResealOutputs: true,
    });
  });
});

describe('a state names', () => {
  const earlier: State = { ...emptyState, environment: { A: '1' }, recipients: [first] };
  const without: State = { ...emptyState, environment: { A: '1' } };

  it('its recipients', () => {
    const want = { ...earlier, recipients: [later] };
    for (const state of [earlier, without])
      expect(withRecipients(state, { recipients: [later] })).toStrictEqual(want);
  });

  it.each([undefined, { passphrase: 'pass' }])('no recipients with %j', (seal) => {
    expect(withRecipients(earlier, seal)).toStrictEqual(without);
    expect(withRecipients(without, seal)).toBe(without);
  });
});
