import { describe, expect, it } from 'vitest';

import { parseState, unreadable } from '../../../src/disk/state/state-text.js';
import { refusal } from './refusal.js';

/** The text of a state with these members, of the current version by default. */
function textOf(members: object): string {
  return JSON.stringify({ version: 2, generatedValues: {}, written: {}, environment: {}, ...members });
}

const parsed = (members: object) => parseState(textOf(members), 'state.json');

describe('a text that is not a state', () => {
  const at = { file: 'state.json' };
  const hint = 'restore it from a backup; moving it away creates a new cluster with new keys';

  it('is reported with reason and location', () => {
    const message = 'the state file state.json is not valid: it is torn';
    const plain = refusal('dir/state-unreadable', message, { at, hint });
    expect(unreadable('state.json', 'it is torn')).toStrictEqual(plain);
    const placed = refusal('dir/state-unreadable', message, { at: { ...at, path: 'draws' }, hint });
    expect(unreadable('state.json', 'it is torn', 'draws')).toStrictEqual(placed);
  });

  it.each([
    ['', 'it is not JSON'],
    ['{"version":1', 'it is not JSON'],
    ['[]', 'it is not a JSON object'],
    ['null', 'it is not a JSON object'],
    ['"text"', 'it is not a JSON object'],
    ['1', 'it is not a JSON object'],
  ])('%j', (text, reason) => {
    const message = `the state file state.json is not valid: ${reason}`;
    const want = refusal('dir/state-unreadable', message, { at, hint });
    expect(parseState(text, 'state.json')).toStrictEqual(want);
  });

  it.each([
    [0, 'state version 0'],
    [3, 'state version 3'],
    ['1', 'no numeric state version'],
    [null, 'no numeric state version'],
    [undefined, 'no numeric state version'],
  ])('as version %j is not supported', (version, shown) => {
    const message = `state.json has ${shown}, expected version 2`;
    expect(parsed({ version })).toStrictEqual(refusal('dir/state-version', message, { at }));
  });

  const aPath = 'a path below the directory';
  const aTime = 'an RFC 3339 time such as 2026-01-02T03:04:05Z';
  it.each<readonly [string, object, string]>([
    ['generatedValues', { generatedValues: [] }, 'an object'],
    ['generatedValues.a', { generatedValues: { a: 1 } }, 'text'],
    ['generatedValues.clock', { generatedValues: { a: 'A', clock: 'now' } }, aTime],
    ['written', { written: null }, 'an object'],
    ['written.a', { written: { a: 1 } }, 'text'],
    ['written./a', { written: { '/a': 'ab' } }, aPath],
    ['environment', { environment: undefined }, 'an object'],
    ['environment.A', { environment: { A: null } }, 'text'],
    ['cluster', { cluster: 'site1' }, 'an object'],
    ['cluster.name', { cluster: { baseDomain: 'example.com' } }, 'text'],
    ['cluster.baseDomain', { cluster: { name: 'site1' } }, 'text'],
    ['generatedValuesDigest', { generatedValuesDigest: 1 }, 'text'],
    ['bootableFrom', { bootableFrom: 'soon' }, aTime],
    ['bootableUntil', { bootableUntil: 1 }, aTime],
    ['recipients', { recipients: 'age1a' }, 'a list'],
    ['recipients[1]', { recipients: ['age1a', 1] }, 'text'],
    ['externalValueHashes', { externalValueHashes: [] }, 'an object'],
    ['externalValueHashes.a', { externalValueHashes: { a: 1 } }, 'text'],
    ['pruned', { pruned: {} }, 'a list'],
    ['pruned[0]', { pruned: [1] }, 'text'],
    ['sealed.a', { sealed: { a: 1 } }, 'text'],
    ['sealed.a//b', { sealed: { 'a//b': '' } }, aPath],
    ['mustResealOutputs', { mustResealOutputs: false }, 'true'],
  ])('is rejected at %s', (path, members, expected) => {
    const message = `the state file state.json is not valid: expected ${expected} at ${path}`;
    const want = refusal('dir/state-unreadable', message, { at: { ...at, path }, hint });
    expect(parsed(members)).toStrictEqual(want);
  });
});
