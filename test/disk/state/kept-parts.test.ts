import { describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { isTimeBound, longLivedValues } from '../../../src/disk/state/value-labels.js';
import { differingLabel, stateStorage, storedState } from '../../../src/disk/state/state-storage.js';
import { emptyState, type State, type StoredState } from '../../../src/disk/state/state-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { refusal } from './refusal.js';

const timeBound = { clock: '2026-01-02T03:04:05Z', 'signature/a': 'S', 'size/b': '1' };
const lasting = { 'key/a': 'A', 'uuid/cluster': 'B', 'clock/a': 'C', 'a/signature/b': 'D', 'resize/b': 'E' };
const state: State = {
  ...emptyState,
  generatedValues: { ...timeBound, ...lasting },
  environment: { A: '1' },
};
const hashes = Object.fromEntries(Object.entries(lasting).map(([label, value]) => [label, sha256(value)]));

describe('a generated value', () => {
  it.each(Object.keys(timeBound))('%s depends on the time of issue', (label) => {
    expect(isTimeBound(label)).toBe(true);
  });

  it.each([...Object.keys(lasting), 'signature', 'size', ''])('%j does not depend on it', (label) => {
    expect(isTimeBound(label)).toBe(false);
  });

  it('is lasting if it does not depend on it', () => {
    expect(longLivedValues(state.generatedValues)).toEqual(lasting);
  });
});

describe('a run keeps', () => {
  const seal = { recipients: ['age1'] };
  const holding = (generatedValues: State['generatedValues']): StoredState => ({
    state: { ...emptyState, generatedValues },
    text: '',
    sha256: '',
  });

  it('all parts of a state from files, plain or encrypted', () => {
    for (const own of [undefined, holding(state.generatedValues)])
      for (const each of [undefined, seal])
        expect(stateStorage(own, { isOutside: false, seal: each })).toEqual(success('whole'));
  });

  it('all parts of an external state that is encrypted here', () => {
    expect(stateStorage(holding(state.generatedValues), { isOutside: true, seal })).toEqual(success('whole'));
  });

  it('the public part of an external plain state', () => {
    const outside = { isOutside: true, seal: undefined };
    expect(stateStorage(undefined, outside)).toEqual(success('record'));
    expect(stateStorage(holding({}), outside)).toEqual(success('record'));
    expect(stateStorage(holding(timeBound), outside)).toEqual(success('record'));
  });

  it('no other keys next to plain text keys', () => {
    const message = '.sno-install-state.json contains unencrypted keys in addition to the named state';
    const hint = 'delete it if the other state has the same keys, encrypt it, or do not name the other state';
    const want = refusal('state/plain-beside', message, { at: { file: '.sno-install-state.json' }, hint });
    expect(stateStorage(holding(state.generatedValues), { isOutside: true, seal: undefined })).toEqual(want);
  });
});

describe('a kept state', () => {
  it('is complete, without hashes of external files', () => {
    expect(storedState(state, 'whole')).toBe(state);
    expect(storedState({ ...state, externalValueHashes: hashes }, 'whole')).toStrictEqual(state);
  });

  it('has hashes of the lasting generated values, in a record', () => {
    const want = { ...state, generatedValues: timeBound, externalValueHashes: hashes };
    expect(storedState(state, 'record')).toStrictEqual(want);
    expect(storedState({ ...state, externalValueHashes: { gone: 'ab' } }, 'record')).toStrictEqual(want);
  });
});

describe('two states differ', () => {
  const record: State = { ...emptyState, generatedValues: timeBound, externalValueHashes: hashes };

  it('not if values or hashes are equal', () => {
    expect(differingLabel(state, state.generatedValues)).toBeUndefined();
    expect(differingLabel(record, state.generatedValues)).toBeUndefined();
  });

  it('not by values of only one state or values that depend on the time', () => {
    expect(differingLabel(state, {})).toBeUndefined();
    expect(differingLabel(emptyState, state.generatedValues)).toBeUndefined();
    const later = { clock: '2027-01-02T03:04:05Z', 'signature/a': 'T', 'size/b': '2' };
    expect(differingLabel(state, later)).toBeUndefined();
    const hashed = { ...emptyState, externalValueHashes: { clock: sha256('now') } };
    expect(differingLabel(hashed, { clock: 'then' })).toBeUndefined();
  });

  it('at the first label with different values', () => {
    const other = { ...lasting, 'uuid/cluster': 'other', 'resize/b': 'other' };
    expect(differingLabel(state, other)).toBe('uuid/cluster');
    expect(differingLabel(record, other)).toBe('uuid/cluster');
    expect(differingLabel(state, { 'key/a': '' })).toBe('key/a');
    const both: State = {
      ...emptyState,
      generatedValues: { 'key/z': 'Z' },
      externalValueHashes: { 'key/a': sha256('A') },
    };
    expect(differingLabel(both, { 'key/a': 'other', 'key/z': 'other' })).toBe('key/z');
  });
});
