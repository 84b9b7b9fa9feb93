import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { findChangedFile, readSiteRecord, recordFile } from '../../../src/disk/site-record/site-record.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { scratchFolder } from '../../support/scratch.js';

const state = '.sno-install-state.json';
const outputs = ['auth/deep/key', 'auth/kubeconfig', 'worker.ign'];

/** The folder of a complete site; its record is written last. */
function madeSite(name: string, root: string): string {
  const dir = join(root, name);
  const textOf = (path: string): string => `${path} of ${name}\n`;
  for (const path of [...outputs, state]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), textOf(path), { mode: 0o600 });
  }
  const record = recordFile({
    program: 'x',
    questions: [],
    fingerprint: '',
    issued: '2026-11-02T03:04:05Z',
    warnings: [],
    state: sha256(textOf(state)),
    outputs: outputs.map((path) => ({ path, mode: 0o600, sha256: sha256(textOf(path)) })),
  });
  writeFileSync(join(dir, `${record.path}.new`), record.contents);
  // The record is written before its rename, so its mtime is older.
  utimesSync(join(dir, `${record.path}.new`), 1, 1);
  renameSync(join(dir, `${record.path}.new`), join(dir, record.path));
  return dir;
}

const ctimeOf = (path: string): bigint => statSync(path, { bigint: true }).ctimeNs;
const recordOf = (dir: string): string => join(dir, '.sno-install-site.json');

/**
 * Two sites whose next change gets a later timestamp than their records. The clock of the file system advances in steps of some
 * milliseconds.
 */
function twoSites(): readonly [string, string] {
  const root = scratchFolder();
  const sites = [madeSite('north-1', root), madeSite('south-1', root)] as const;
  const clock = join(root, 'clock');
  do writeFileSync(clock, '');
  while (sites.some((dir) => ctimeOf(clock) <= ctimeOf(recordOf(dir))));
  return sites;
}

function oddIn(dir: string, mayRenew = false): ReturnType<typeof findChangedFile> {
  const record = readSiteRecord(dir);
  if (record === undefined) throw new Error(`no record in ${dir}`);
  return findChangedFile(dir, record, { mayRenew });
}

/** Swaps two folders by renaming, as a user would with `mv`. */
function swap(one: string, other: string): void {
  renameSync(one, `${one}.old`);
  renameSync(other, one);
  renameSync(`${one}.old`, other);
}

describe('an unchanged site', () => {
  it('matches its record, which stays unchanged', () => {
    const [north] = twoSites();
    const before = ctimeOf(recordOf(north));
    expect([oddIn(north, true), ctimeOf(recordOf(north))]).toEqual([undefined, before]);
  });
});

describe('a modified site', () => {
  test.each([
    { name: 'outputs swapped with those of another site', swapped: 'worker.ign', want: 'worker.ign' },
    { name: 'a folder swapped with that of another site', swapped: 'auth', want: 'auth/deep/key' },
    { name: 'a folder in a folder', swapped: 'auth/deep', want: 'auth/deep/key' },
    { name: 'the state', swapped: state, want: state },
  ])('$name: changed', ({ swapped, want }) => {
    const [north, south] = twoSites();
    swap(join(north, swapped), join(south, swapped));
    for (const dir of [north, south]) expect(oddIn(dir, true)).toEqual({ path: want, is: 'changed' });
  });

  test.each(['worker.ign', 'auth', 'auth/deep'])('%s as a link to an older file: changed', (path) => {
    const [north, south] = twoSites();
    renameSync(join(north, path), join(north, 'away'));
    symlinkSync(join(south, path), join(north, path));
    // The time of the record, not of the link, as in a restored backup of the folder.
    utimesSync(recordOf(north), new Date(), new Date());
    expect(oddIn(north)).toMatchObject({ is: 'changed' });
  });

  it('reads the target every time if the folder is a link', () => {
    const [north, south] = twoSites();
    const other = join(dirname(south), 'elsewhere');
    cpSync(south, other, { recursive: true });
    writeFileSync(recordOf(other), readFileSync(recordOf(north)));
    renameSync(north, `${north}.old`);
    symlinkSync(other, north);
    expect(oddIn(north)).toEqual({ path: 'auth/deep/key', is: 'changed' });
  });

  it('reads a folder once after it was renamed twice', () => {
    const [north] = twoSites();
    renameSync(join(north, 'auth'), join(north, 'away'));
    renameSync(join(north, 'away'), join(north, 'auth'));
    const before = ctimeOf(recordOf(north));
    expect(oddIn(north, true)).toBe(undefined);
    const touched = ctimeOf(recordOf(north));
    expect(touched).toBeGreaterThan(before);
    expect([oddIn(north, true), ctimeOf(recordOf(north))]).toEqual([undefined, touched]);
  });

  it('reports a missing output', () => {
    const [north] = twoSites();
    renameSync(join(north, 'auth'), join(north, 'away'));
    expect(oddIn(north)).toEqual({ path: 'auth/deep/key', is: 'gone' });
  });
});
