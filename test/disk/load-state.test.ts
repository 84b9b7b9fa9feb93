import { chmodSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import type { ProblemCode } from '../../src/core/problem.js';
import { failure, success } from '../../src/core/result.js';
import { loadState, type LoadedState } from '../../src/disk/directory.js';
import { emptyState, serializeState, type State } from '../../src/disk/state/state-file.js';
import { noAccess, type StateAccess } from '../../src/disk/state/state-access.js';
import { sha256 } from '../../src/formats/sha256.js';
import { replaceFsCalls, failing } from '../support/other-system.js';
import { scratchFolder } from '../support/scratch.js';
import { expectOk } from '../support/sound-value.js';

const own: State = {
  ...emptyState,
  generatedValues: { 'key/a': 'A', clock: '2026-01-02T03:04:05Z' },
  written: { 'worker.ign': 'ab' },
  environment: { SOURCE_DATE_EPOCH: '1' },
};
const other: State = {
  ...emptyState,
  generatedValues: { 'key/a': 'A', 'key/b': 'B', clock: '2027-01-02T03:04:05Z', 'size/c': '3' },
  written: { 'worker.ign': sha256('as it was written'), 'master.ign': 'cd', gone: 'ef' },
  cluster: { name: 'site1', baseDomain: 'example.com' },
};

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, state: State): string {
  const path = join(dir, name);
  writeFileSync(path, serializeState(state), { mode: 0o600 });
  return path;
}

const layOwn = (state = own): string => lay('.sno-install-state.json', state);

/** Access to a state from outside, which no file holds. */
function giving(text: string): StateAccess {
  const outside = { shownAs: '--state -', read: () => Promise.resolve(success(Buffer.from(text))) };
  return { ...noAccess, outside };
}

function loaded(loading: LoadedState): readonly unknown[] {
  return [loading.state, loading.own?.state, loading.stored.map(({ state }) => state)];
}

function refused(code: ProblemCode, message: string, details: object): object {
  return failure({ code, severity: 'error', message, ...details });
}

describe('a directory without another state', () => {
  it('starts empty', async () => {
    expect(loaded(expectOk(await loadState(dir, undefined)))).toEqual([emptyState, undefined, []]);
  });

  it('continues from its own state, under any name', async () => {
    const path = layOwn();
    for (const name of [undefined, path, relative('.', path)])
      expect(loaded(expectOk(await loadState(dir, name)))).toEqual([own, own, [own]]);
  });

  it('does not continue if its keys are stored elsewhere', async () => {
    layOwn({ ...emptyState, externalValueHashes: { 'key/a': sha256('A') } });
    const message = 'the keys of this directory are not in .sno-install-state.json but in an external state';
    const hint = 'name that state with --state or --state-command, as in the last run';
    const want = refused('state/kept-elsewhere', message, { at: { file: '.sno-install-state.json' }, hint });
    expect(await loadState(dir, undefined)).toEqual(want);
  });

  it('does not continue from an unreadable state', async () => {
    writeFileSync(join(dir, '.sno-install-state.json'), 'text');
    expect(await loadState(dir, undefined)).toMatchObject({
      ok: false,
      problems: [{ code: 'dir/state-unreadable', at: { file: '.sno-install-state.json' } }],
    });
  });
});

describe('the state of another directory', () => {
  it('returns its random values, but no records of outputs', async () => {
    const path = lay('other.json', other);
    const want = { ...other, written: {}, lastRuns: {} };
    expect(loaded(expectOk(await loadState(dir, path)))).toEqual([want, undefined, [other]]);
  });

  it('adds lasting values to its own, which take precedence', async () => {
    layOwn();
    const path = lay('other.json', other);
    const generatedValues = { 'key/a': 'A', 'key/b': 'B', clock: own.generatedValues['clock'] };
    const want = { ...own, cluster: other.cluster, generatedValues };
    expect(loaded(expectOk(await loadState(dir, path)))).toEqual([want, own, [own, other]]);
  });

  it('sets the cluster name only if the own state has none', async () => {
    const named = { ...own, cluster: { name: 'site2', baseDomain: 'example.com' } };
    layOwn(named);
    const path = lay('other.json', other);
    expect(expectOk(await loadState(dir, path)).state.cluster).toEqual(named.cluster);
    layOwn();
    const nameless = lay('nameless.json', { ...emptyState, generatedValues: other.generatedValues });
    expect(expectOk(await loadState(dir, nameless)).state).not.toHaveProperty('cluster');
  });

  it.each([
    { name: 'a key', mine: own },
    { name: 'the hash of a key', mine: { ...emptyState, externalValueHashes: { 'key/a': sha256('A') } } },
  ])('is rejected if it differs in $name', async ({ mine }) => {
    layOwn(mine);
    const path = lay('other.json', { ...other, generatedValues: { 'key/a': 'other' } });
    const message = `this directory already has a state file, which differs from ${path} in "key/a"`;
    const hint = 'use an empty directory with --dir';
    expect(await loadState(dir, path)).toEqual(refused('dir/state-conflict', message, { hint }));
  });

  it('is rejected if it is missing', async () => {
    const path = join(dir, 'nothing.json');
    const want = refused('dir/state-unreadable', `state file not found: ${path}`, {
      hint: 'name the state file of an earlier run',
    });
    expect(await loadState(dir, path)).toEqual(want);
  });

  it('is rejected if it is unreadable', async () => {
    const path = join(dir, 'other.json');
    writeFileSync(path, 'text');
    const problems = [{ code: 'dir/state-unreadable', at: { file: path } }];
    expect(await loadState(dir, path)).toMatchObject({ ok: false, problems });
  });
});

describe('a state without a file', () => {
  it('uses the records of outputs in the directory', async () => {
    writeFileSync(join(dir, 'worker.ign'), 'as it was written');
    writeFileSync(join(dir, 'master.ign'), 'as somebody else wrote it');
    const read = expectOk(await loadState(dir, undefined, giving(serializeState(other))));
    const written = { 'worker.ign': sha256('as it was written') };
    expect(loaded(read)).toEqual([{ ...other, written, lastRuns: {} }, undefined, [other]]);
  });

  it('provides the keys of a directory that has only their hashes', async () => {
    const record = { ...emptyState, externalValueHashes: { 'key/a': sha256('A') } };
    layOwn(record);
    const read = expectOk(await loadState(dir, undefined, giving(serializeState(other))));
    const want = { ...record, cluster: other.cluster, generatedValues: { 'key/a': 'A', 'key/b': 'B' } };
    expect(loaded(read)).toEqual([want, record, [record, other]]);
  });

  it('is named as on the command line', async () => {
    layOwn();
    const text = serializeState({ ...other, generatedValues: { 'key/a': 'other' } });
    const message = 'this directory already has a state file, which differs from --state - in "key/a"';
    const hint = 'use an empty directory with --dir';
    const want = refused('dir/state-conflict', message, { hint });
    expect(await loadState(dir, undefined, giving(text))).toEqual(want);
    expect(await loadState(dir, undefined, giving('text'))).toMatchObject({
      ok: false,
      problems: [{ code: 'dir/state-unreadable' }],
    });
  });
});

it('reports the problems of both states', async () => {
  const path = lay('other.json', other);
  for (const each of [layOwn(), path]) chmodSync(each, 0o644);
  replaceFsCalls(() => ({ chmodSync: failing('EROFS') }));
  const of = (file: string): object => ({ code: 'dir/state-exposed', at: { file } });
  const said = of('.sno-install-state.json');
  expect(await loadState(dir, undefined)).toMatchObject({ ok: true, warnings: [said] });
  expect(await loadState(dir, path)).toMatchObject({ ok: true, warnings: [said, of(path)] });
});
