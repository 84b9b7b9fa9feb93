import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { readState, serializeState, restrictMode, type State } from '../../../src/disk/state/state-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { scratchFolder } from '../../support/scratch.js';

const state: State = {
  generatedValues: { 'uuid/cluster': 'b', clock: '2026-01-02T03:04:05.000Z' },
  written: { 'worker.ign': 'ff' },
  environment: { SOURCE_DATE_EPOCH: '1' },
  bootableUntil: '2026-02-01T03:04:05.000Z',
  lastRuns: {},
};

it('reads back the written state, with labels in any order', async () => {
  const path = join(scratchFolder(), 'state.json');
  writeFileSync(path, serializeState(state));

  const text = serializeState(state);
  const stored = { state, text, sha256: sha256(text) };
  expect(await readState(path, 'state.json')).toEqual({ ok: true, value: stored, warnings: [] });
  expect(
    serializeState({
      ...state,
      generatedValues: Object.fromEntries(Object.entries(state.generatedValues).reverse()),
    }),
  ).toBe(serializeState(state));
});

it('treats a missing file as no state', async () => {
  expect(await readState(join(scratchFolder(), 'state.json'), 'state.json')).toEqual({
    ok: true,
    value: undefined,
    warnings: [],
  });
});

it('warns if the state stays readable by other users', () => {
  const absent = join(scratchFolder(), 'state.json');

  expect(restrictMode(absent, 'state.json', 0o100644)).toEqual([
    {
      code: 'dir/state-exposed',
      severity: 'warning',
      message: 'other users can read state.json, and its mode cannot be changed: it does not exist',
      at: { file: 'state.json' },
      hint: 'it contains every private key of the cluster: make it `chmod 600`',
    },
  ]);
});

describe('an invalid state file', () => {
  const cases: readonly {
    readonly name: string;
    readonly given: string;
    readonly code: string;
    readonly path?: string;
    readonly says: string;
  }[] = [
    { name: 'empty', given: '', code: 'dir/state-unreadable', says: 'it is not JSON' },
    {
      name: 'truncated',
      given: serializeState(state).slice(0, 80),
      code: 'dir/state-unreadable',
      says: 'it is not JSON',
    },
    { name: 'a list', given: '[]', code: 'dir/state-unreadable', says: 'it is not a JSON object' },
    {
      name: 'with a later version',
      given: '{"version":3}',
      code: 'dir/state-version',
      says: 'has state version 3',
    },
    {
      name: 'without generated values',
      given: '{"version":1}',
      code: 'dir/state-unreadable',
      path: 'draws',
      says: 'expected an object at draws',
    },
    {
      name: 'with a generated value that is not a string',
      given: '{"version":1,"draws":{"clock":1},"written":{},"environment":{}}',
      code: 'dir/state-unreadable',
      path: 'draws.clock',
      says: 'expected text at draws.clock',
    },
    {
      name: 'with an invalid time',
      given: serializeState({ ...state, generatedValues: { clock: '2026-13-45T99:99:99Z' } }),
      code: 'dir/state-unreadable',
      path: 'generatedValues.clock',
      says: 'expected an RFC 3339 time such as 2026-01-02T03:04:05Z at generatedValues.clock',
    },
    {
      name: 'with a path outside of the directory',
      given: serializeState({ ...state, written: { 'a/../../b': 'ff' } }),
      code: 'dir/state-unreadable',
      path: 'written.a/../../b',
      says: 'expected a path below the directory',
    },
    {
      name: 'with an invalid end time',
      given: '{"version":1,"draws":{},"written":{},"environment":{},"bootableUntil":"soon"}',
      code: 'dir/state-unreadable',
      path: 'bootableUntil',
      says: 'RFC 3339',
    },
  ];
  it.each(cases)('$name', async ({ given, code, path: at, says }) => {
    const path = join(scratchFolder(), 'state.json');
    writeFileSync(path, given);

    const result = await readState(path, 'state.json');

    expect(!result.ok && result.problems.map((found) => [found.code, found.at])).toEqual([
      [code, { file: 'state.json', ...(at !== undefined && { path: at }) }],
    ]);
    expect(!result.ok && result.problems[0]?.message).toContain(says);
  });
});
