import { describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { emptyState, type State } from '../../../src/disk/state/state-model.js';
import { parseState, serializeState } from '../../../src/disk/state/state-text.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { inVersion1 } from '../../support/state-version-1.js';

const whole: State = {
  generatedValues: { 'key/a': 'A', B: 'b' },
  written: { 'worker.ign.age': 'ef', 'auth/kubeconfig': '01' },
  environment: { SOURCE_DATE_EPOCH: '1', A: '' },
  cluster: { name: 'site1', baseDomain: 'example.com' },
  bootableFrom: '2026-01-02T03:04:05Z',
  bootableUntil: '2026-02-01T03:04:05.000Z',
  recipients: ['age1b', 'age1a'],
  externalValueHashes: { 'key/d': '45', 'key/c': '67' },
  pruned: ['key/z', 'key/y'],
  mustResealOutputs: true,
  lastRuns: {},
};
const digest = sha256('{"B":"b","key/a":"A"}');

/** The text of a state with these members, of the current version by default. */
function textOf(members: object): string {
  return JSON.stringify({ version: 2, generatedValues: {}, written: {}, environment: {}, ...members });
}

const parsed = (members: object) => parseState(textOf(members), 'state.json');

describe('the text of a state', () => {
  it('has members in a fixed order and names sorted', () => {
    expect(serializeState(whole).split('\n')).toEqual([
      '{',
      '  "version": 2,',
      '  "note": "contains no keys; they are stored elsewhere under the labels in `externalValueHashes`",',
      '  "recipients": [',
      '    "age1b",',
      '    "age1a"',
      '  ],',
      '  "cluster": {',
      '    "name": "site1",',
      '    "baseDomain": "example.com"',
      '  },',
      '  "bootableFrom": "2026-01-02T03:04:05Z",',
      '  "bootableUntil": "2026-02-01T03:04:05.000Z",',
      '  "environment": {',
      '    "A": "",',
      '    "SOURCE_DATE_EPOCH": "1"',
      '  },',
      '  "generatedValues": {',
      '    "B": "b",',
      '    "key/a": "A"',
      '  },',
      `  "generatedValuesDigest": "${digest}",`,
      '  "externalValueHashes": {',
      '    "key/c": "67",',
      '    "key/d": "45"',
      '  },',
      '  "pruned": [',
      '    "key/z",',
      '    "key/y"',
      '  ],',
      '  "mustResealOutputs": true,',
      '  "written": {',
      '    "auth/kubeconfig": "01",',
      '    "worker.ign.age": "ef"',
      '  }',
      '}',
      '',
    ]);
  });

  it.each([emptyState, { ...emptyState, sealed: {} }])('omits empty members, %#', (state) => {
    const value = {
      version: 2,
      note: 'contains every private key of the cluster: protect it like a password',
      environment: {},
      generatedValues: {},
      generatedValuesDigest: sha256('{}'),
    };
    expect(serializeState(state)).toBe(`${JSON.stringify(value, null, 2)}\n`);
  });

  it('has only name and base domain of a cluster', () => {
    const cluster = { baseDomain: 'example.com', name: 'site1', more: '' };
    const text = serializeState({ ...emptyState, cluster });
    const named = '"cluster": {\n    "name": "site1",\n    "baseDomain": "example.com"\n  }';
    expect(text).toContain(named);
  });

  it('is read back with any content', () => {
    for (const state of [whole, emptyState])
      expect(parseState(serializeState(state), 'state.json')).toStrictEqual(success(state));
  });
});

describe('a parsed state', () => {
  const altered = { ...emptyState, isAltered: true };

  it('may omit members that earlier versions did not write', () => {
    expect(parsed({})).toStrictEqual(success(altered));
    expect(parsed({ generatedValuesDigest: sha256('{}') })).toStrictEqual(success(emptyState));
  });

  it('reports changed generated values, in any order', () => {
    const generatedValues = { 'key/a': 'A', B: 'b' };
    expect(parsed({ generatedValues, generatedValuesDigest: digest })).toStrictEqual(
      success({ ...emptyState, generatedValues }),
    );
    const other = { ...generatedValues, B: 'c' };
    const want = { ...altered, generatedValues: other };
    expect(parsed({ generatedValues: other, generatedValuesDigest: digest })).toStrictEqual(success(want));
  });

  it('drops unknown members', () => {
    const cluster = { name: 'site1', baseDomain: 'example.com' };
    const given = parsed({ note: 'mine', more: 1, cluster: { ...cluster, more: 1 } });
    expect(given).toStrictEqual(success({ ...altered, cluster }));
  });
});

describe('a state of version 1', () => {
  const generatedValuesName = 'draws';

  it.each([whole, emptyState])('has the same content, %#', (state) => {
    expect(parseState(inVersion1(serializeState(state)), 'state.json')).toStrictEqual(
      success({ ...state, generatedValuesName }),
    );
  });

  it('reports edited values', () => {
    const text = inVersion1(serializeState(whole)).replace('"B": "b"', '"B": "c"');
    const generatedValues = { 'key/a': 'A', B: 'c' };
    const want = { ...whole, generatedValues, generatedValuesName, isAltered: true };
    expect(parseState(text, 'state.json')).toStrictEqual(success(want));
  });

  it('has no generated values under the name of version 2', () => {
    const text = JSON.stringify({ version: 1, generatedValues: {}, written: {}, environment: {} });
    const found = parseState(text, 'state.json');
    expect(found.ok || found.problems.map(({ at }) => at)).toEqual([{ file: 'state.json', path: 'draws' }]);
  });
});
