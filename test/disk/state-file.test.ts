import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { readState, serializeState, type State } from '../../src/disk/state-file.js';
import { scratchFolder } from '../support/scratch.js';

const state: State = {
  draws: { 'uuid/cluster': 'b', clock: '2026-01-02T03:04:05.000Z' },
  written: { 'worker.ign': 'ff' },
  environment: { SOURCE_DATE_EPOCH: '1' },
  bootableUntil: '2026-02-01T03:04:05.000Z',
  lastRuns: {
    manifests: { program: 'ab', inputs: { 'read install-config.yaml': 'cd' }, outputs: [], warnings: [] },
  },
};

it('reads back what it wrote, whatever the order of the labels', () => {
  const path = join(scratchFolder(), 'state.json');
  writeFileSync(path, serializeState(state));

  expect(readState(path, 'state.json')).toEqual({ ok: true, value: state, warnings: [] });
  expect(serializeState({ ...state, draws: Object.fromEntries(Object.entries(state.draws).reverse()) })).toBe(
    serializeState(state),
  );
});

it('takes a missing file for no state', () => {
  expect(readState(join(scratchFolder(), 'state.json'), 'state.json')).toEqual({
    ok: true,
    value: undefined,
    warnings: [],
  });
});

it('forgets records of earlier runs that have another form', () => {
  const path = join(scratchFolder(), 'state.json');
  const odd = { manifests: { program: 1 }, other: null, more: 'x' };
  writeFileSync(path, JSON.stringify({ version: 1, draws: {}, written: {}, environment: {}, lastRuns: odd }));

  const result = readState(path, 'state.json');

  expect(result.ok && result.value?.lastRuns).toEqual({});
});

describe('a state file that cannot be used', () => {
  const cases = [
    { name: 'empty', given: '', code: 'dir/state-unreadable', says: 'it is not JSON' },
    {
      name: 'cut off',
      given: serializeState(state).slice(0, 80),
      code: 'dir/state-unreadable',
      says: 'it is not JSON',
    },
    { name: 'a list', given: '[]', code: 'dir/state-unreadable', says: 'it is not a JSON object' },
    {
      name: 'of a later version',
      given: '{"version":2}',
      code: 'dir/state-version',
      says: 'has state version 2',
    },
    {
      name: 'without draws',
      given: '{"version":1}',
      code: 'dir/state-unreadable',
      says: 'must map names to text',
    },
    {
      name: 'with a draw that is no text',
      given: '{"version":1,"draws":{"clock":1},"written":{},"environment":{}}',
      code: 'dir/state-unreadable',
      says: 'must map names to text',
    },
    {
      name: 'with an end that is no time',
      given: '{"version":1,"draws":{},"written":{},"environment":{},"bootableUntil":"soon"}',
      code: 'dir/state-unreadable',
      says: 'RFC 3339',
    },
  ];
  it.each(cases)('$name', ({ given, code, says }) => {
    const path = join(scratchFolder(), 'state.json');
    writeFileSync(path, given);

    const result = readState(path, 'state.json');

    expect(!result.ok && result.problems.map((found) => [found.code, found.at])).toEqual([
      [code, { file: 'state.json' }],
    ]);
    expect(!result.ok && result.problems[0]?.message).toContain(says);
  });
});
