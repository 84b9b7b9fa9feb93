import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { openDirectory } from '../../../src/disk/directory.js';
import {
  removeSiteFolder,
  writeSite,
  temporarySiteFolder,
} from '../../../src/disk/site-record/site-contents.js';
import type { SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { replaceFsCalls } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { expectOk } from '../../support/sound-value.js';

const record: SiteRecord = { inputs: 'a', state: 'b', outputs: [], warnings: [] } as unknown as SiteRecord;
const files = ['.sno-install-site.json', 'metadata.json', 'auth/kubeconfig.age'].map((path) => ({
  path,
  mode: 0o600,
  contents: Buffer.from(`of the store: ${path}`),
}));
const before = { ...record, outputs: files.slice(1).map(({ path }) => ({ path, mode: 0o600, sha256: '' })) };

test.each([['metadata.json'], ['auth/kubeconfig.age']])(
  'does not overwrite %s of another program',
  async (path) => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'auth'));
    writeFileSync(join(dir, path), 'of somebody else');
    const laid = await writeSite(dir, { record, files }, { command: 'fleet collect' });
    expect(laid).toMatchObject({ ok: false, problems: [{ code: 'dir/output-edited', at: { file: path } }] });
    expect(readFileSync(join(dir, path), 'utf8')).toBe('of somebody else');
    expect(readdirSync(dir).filter((name) => name !== 'auth' && name !== path)).toEqual([]);
  },
);

test('writes a site into an empty folder, next to equal files, and over its own outputs', async () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, 'metadata.json'), 'of the store: metadata.json');
  expect(await writeSite(dir, { record, files }, { command: 'fleet collect' })).toMatchObject({ ok: true });
  writeFileSync(join(dir, 'metadata.json'), 'of an earlier run');
  expect(await writeSite(dir, { record, files }, { command: 'fleet collect', before })).toMatchObject({
    ok: true,
  });
  expect(readFileSync(join(dir, 'metadata.json'), 'utf8')).toBe('of the store: metadata.json');
});

test('removes only outputs of an earlier run that are not written again', async () => {
  const dir = scratchFolder();
  const earlier = { ...before, outputs: [...before.outputs, { path: 'old.ign', mode: 0o600, sha256: '' }] };
  for (const name of ['old.ign', 'of-somebody-else']) writeFileSync(join(dir, name), name);
  const laid = await writeSite(dir, { record, files }, { command: 'fleet collect', before: earlier });
  expect(laid).toMatchObject({ ok: true });
  const names = ['.sno-install-site.json', 'auth', 'metadata.json', 'of-somebody-else'];
  expect(readdirSync(dir).toSorted()).toEqual(names);
  const modes = files.map(({ path }) => statSync(join(dir, path)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600, 0o600]);
});

test.each(['.sno-install-site.json', '.sno-install-state.json'])(
  'overwrites its own %s if it has a record',
  async (path) => {
    const dir = scratchFolder();
    writeFileSync(join(dir, path), 'of an earlier run');
    const contents = { record, files: [{ path, mode: 0o600, contents: Buffer.from('new') }] };
    const edited = { ok: false, problems: [{ code: 'dir/output-edited', at: { file: path } }] };
    expect(await writeSite(dir, contents, { command: 'fleet collect' })).toMatchObject(edited);
    expect(await writeSite(dir, contents, { command: 'fleet collect', before })).toMatchObject({ ok: true });
    expect(readFileSync(join(dir, path), 'utf8')).toBe('new');
  },
);

test('keeps a folder that another run has locked, and releases its own lock', async () => {
  const dir = scratchFolder();
  const lock = expectOk(await openDirectory(dir, 'another'));
  const contents = { record, files };
  const locked = { ok: false, problems: [{ code: 'dir/locked' }] };
  expect(await writeSite(dir, contents, { command: 'fleet collect' })).toMatchObject(locked);
  lock.release();
  expect(readdirSync(dir)).toEqual([]);
  expectOk(await writeSite(dir, contents, { command: 'fleet collect' }));
  expectOk(await openDirectory(dir, 'another')).release();
});

test('writes the record after the files that it lists', async () => {
  const dir = scratchFolder();
  const [own, ...others] = files.map(({ path }) => path);
  const renamed: string[] = [];
  replaceFsCalls(({ renameSync }) => ({
    renameSync: (from, to) => {
      renamed.push(basename(to.toString()));
      renameSync(from, to);
    },
  }));
  expectOk(await writeSite(dir, { record, files }, { command: 'fleet collect' }));
  const order = renamed.filter((name) => files.some(({ path }) => basename(path) === name));
  expect(order).toEqual([...others, own].map((path) => basename(path ?? '')));
});

test('rejects a site without files', async () => {
  const dir = scratchFolder();
  expect(await writeSite(dir, { record, files: [] }, { command: 'x' })).toEqual(success(undefined));
  expect(readdirSync(dir)).toEqual([]);
});

test('creates a private staging folder, and removes it with its content', () => {
  const parent = scratchFolder();
  vi.stubEnv('TMPDIR', parent);
  const folders = [expectOk(temporarySiteFolder()), expectOk(temporarySiteFolder())];
  vi.unstubAllEnvs();
  expect(readdirSync(parent).toSorted()).toEqual(folders.map(({ path }) => basename(path)).toSorted());
  for (const { path } of folders)
    expect([dirname(path), statSync(path).mode & 0o777, basename(path).slice(0, 18)]).toEqual([
      parent,
      0o700,
      'sno-install-fleet-',
    ]);
  mkdirSync(join(folders[0]?.path ?? '', 'site'));
  for (const { remove } of [...folders, ...folders]) remove();
  expect(readdirSync(parent)).toEqual([]);
});

test('reports a staging folder that cannot be created', () => {
  const parent = join(scratchFolder(), 'nothing');
  vi.stubEnv('TMPDIR', parent);
  const made = temporarySiteFolder();
  vi.unstubAllEnvs();
  const message = `cannot create a folder in ${parent}: it does not exist`;
  const hint = 'set TMPDIR to another folder';
  expect(made).toEqual(failure({ code: 'dir/not-writable', severity: 'error', message, hint }));
});

test('removes a misplaced site, and ignores a missing one', () => {
  const dir = scratchFolder();
  mkdirSync(join(dir, 'a/b'), { recursive: true });
  writeFileSync(join(dir, 'a/b/c'), '');
  for (const name of ['a', 'a']) removeSiteFolder(join(dir, name));
  expect(readdirSync(dir)).toEqual([]);
});
