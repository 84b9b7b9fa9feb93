import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, it, test } from 'vitest';

import { success } from '../../../src/core/result.js';
import { openDirectory } from '../../../src/disk/directory.js';
import { subfolderNames, inspectSiteFolder, recoverSite } from '../../../src/disk/site-record/site-folder.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

const command = 'fleet create';
let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

test.each([
  { name: 'nothing', given: [], isUnsettled: false, hasState: false },
  { name: 'outputs', given: ['worker.ign', 'auth'], isUnsettled: false, hasState: false },
  { name: 'a state', given: ['.sno-install-state.json'], isUnsettled: false, hasState: true },
  { name: 'a copy of a state', given: ['.sno-install-state.json.bak'], isUnsettled: false, hasState: false },
  { name: 'a staged file', given: ['.sno-install-pending'], isUnsettled: true, hasState: false },
  { name: 'a lock', given: ['.sno-install.lock.0123'], isUnsettled: true, hasState: false },
  { name: 'a lock of an earlier version', given: ['.sno-install.lock'], isUnsettled: true, hasState: false },
  {
    name: 'another name',
    given: ['x.sno-install.lock', '.sno-install-pendings'],
    isUnsettled: false,
    hasState: false,
  },
  {
    name: 'a run with keys',
    given: ['.sno-install-state.json', '.sno-install.lock.0123', 'worker.ign'],
    isUnsettled: true,
    hasState: true,
  },
])('treats a folder with $name as a site', ({ given, isUnsettled, hasState }) => {
  for (const path of given) writeFileSync(join(dir, path), '');
  expect(inspectSiteFolder(dir)).toEqual({ isUnsettled, hasState });
});

it('returns no entries for a missing folder or a file', () => {
  writeFileSync(join(dir, 'file'), '');
  for (const path of ['nothing', 'file'].map((name) => join(dir, name)))
    expect([inspectSiteFolder(path), subfolderNames(path)]).toEqual([
      { isUnsettled: false, hasState: false },
      [],
    ]);
});

it('lists only folders', () => {
  for (const name of ['b', 'a', '.hidden']) mkdirSync(join(dir, name));
  mkdirSync(join(dir, 'a/below'));
  writeFileSync(join(dir, 'file'), '');
  symlinkSync('a', join(dir, 'link'));
  expect(subfolderNames(dir).toSorted()).toEqual(['.hidden', 'a', 'b']);
});

it('completes a decided run', async () => {
  mkdirSync(join(dir, '.sno-install-pending'), { mode: 0o700 });
  writeFileSync(join(dir, '.sno-install-pending/0'), 'config', { mode: 0o600 });
  const plan = JSON.stringify([{ path: 'worker.ign', staged: '0' }]);
  writeFileSync(join(dir, '.sno-install-pending/plan.json'), plan, { mode: 0o600 });
  expect(inspectSiteFolder(dir).isUnsettled).toBe(true);
  expect(await recoverSite(dir, command)).toEqual(success(undefined));
  expect([readdirSync(dir), readFileSync(join(dir, 'worker.ign'), 'utf8')]).toEqual([
    ['worker.ign'],
    'config',
  ]);
});

it('reverts an undecided run', async () => {
  mkdirSync(join(dir, '.sno-install-pending'));
  writeFileSync(join(dir, '.sno-install-pending/0'), 'config');
  expect(await recoverSite(dir, command)).toEqual(success(undefined));
  expect(readdirSync(dir)).toEqual([]);
});

it('does not change an active run', async () => {
  const lock = expectOk(await openDirectory(dir, 'another'));
  expect(inspectSiteFolder(dir).isUnsettled).toBe(true);
  expect(await recoverSite(dir, command)).toMatchObject({ ok: false, problems: [{ code: 'dir/locked' }] });
  lock.release();
  expect(await recoverSite(dir, command)).toEqual(success(undefined));
});
