import { chmodSync, mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import {
  findChangedFile,
  parseSiteRecord,
  readSiteRecord,
  recordFile,
  recordName,
  type SiteRecord,
} from '../../../src/disk/site-record/site-record.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const record: SiteRecord = {
  program: 'x',
  questions: ['read install-config.yaml'],
  fingerprint: 'ab',
  issued: '2026-11-02T03:04:05Z',
  bootableFrom: '2026-11-02T03:04:05Z',
  bootableUntil: '2026-12-02T03:04:05Z',
  warnings: [{ code: 'dir/state-exposed', severity: 'warning', message: 'm', at: { file: 'f' }, hint: 'h' }],
  state: sha256('state'),
  outputs: [{ path: 'auth/key', mode: 0o600, sha256: sha256('key') }],
};

describe('a record', () => {
  it('is read as it was written', () => {
    const dir = scratchFolder();
    const { path, mode, contents } = recordFile(record);
    expect([path, mode]).toEqual(['.sno-install-site.json', 0o600]);
    expect(readSiteRecord(dir)).toBeUndefined();
    writeFileSync(join(dir, path), contents);
    expect(readSiteRecord(dir)).toEqual({ version: 1, ...record });
  });

  it('has no boot deadline yet', () => {
    const { bootableFrom, bootableUntil, ...earlier } = record;
    expect([bootableFrom, bootableUntil]).not.toContain(undefined);
    expect(parseSiteRecord(Buffer.from(recordFile(earlier).contents))).toEqual({ version: 1, ...earlier });
  });

  const [output] = record.outputs;
  const [warning] = record.warnings;

  test.each<{ name: string; change: object }>([
    { name: 'another version', change: { version: 2 } },
    { name: 'a version that is text', change: { version: '1' } },
    ...['program', 'fingerprint', 'state'].map((name) => ({
      name: `${name} that is no text`,
      change: { [name]: 1 },
    })),
    ...Object.keys(record)
      .filter((name) => !name.startsWith('bootable'))
      .map((name) => ({ name: `no ${name}`, change: { [name]: undefined } })),
    ...['issued', 'bootableFrom', 'bootableUntil'].map((name) => ({
      name: `${name} that is no time`,
      change: { [name]: 'today' },
    })),
    { name: 'invalid questions', change: { questions: [1] } },
    { name: 'warnings that are errors', change: { warnings: [{ ...warning, severity: 'error' }] } },
    { name: 'outputs that are not a list', change: { outputs: {} } },
    { name: 'an output outside of the site', change: { outputs: [{ ...output, path: '../key' }] } },
    { name: 'an output without a mode', change: { outputs: [{ ...output, mode: undefined }] } },
    { name: 'an output without a hash', change: { outputs: [{ ...output, sha256: undefined }] } },
  ])('is rejected with $name', ({ change }) => {
    const text = JSON.stringify({ version: 1, ...record, ...change });
    expect(parseSiteRecord(Buffer.from(text))).toBeUndefined();
  });

  test.each(['', 'text', '[]', 'null', '{}'])('is rejected as %j', (text) => {
    expect(parseSiteRecord(Buffer.from(text))).toBeUndefined();
  });
});

describe('a site with a record older than its files', () => {
  const state = '.sno-install-state.json';

  /** A folder that may be a copy: `auth/key` is newer than the record. */
  function copied(change: Partial<SiteRecord['outputs'][number]> = {}): { dir: string; copy: SiteRecord } {
    const dir = scratchFolder();
    const copy = { ...record, outputs: record.outputs.map((each) => ({ ...each, ...change })) };
    writeFileSync(join(dir, `${recordName}.new`), recordFile(copy).contents);
    utimesSync(join(dir, `${recordName}.new`), 1, 1);
    renameSync(join(dir, `${recordName}.new`), join(dir, recordName));
    const before = statSync(join(dir, recordName), { bigint: true }).ctimeNs;
    mkdirSync(join(dir, 'auth'));
    // The clock of the file system advances in steps of some milliseconds.
    do {
      writeFileSync(join(dir, 'auth/key'), 'key', { mode: 0o600 });
      writeFileSync(join(dir, state), 'state', { mode: 0o600 });
    } while (statSync(join(dir, 'auth/key'), { bigint: true }).ctimeNs <= before);
    return { dir, copy };
  }

  const oddIn = ({ dir, copy }: ReturnType<typeof copied>, mayRenew = false): unknown =>
    findChangedFile(dir, copy, { mayRenew });

  it('is read, and unchanged', () => {
    expect(oddIn(copied())).toBeUndefined();
  });

  test.each([
    {
      name: 'other bytes',
      act: (dir: string) => {
        writeFileSync(join(dir, 'auth/key'), 'kex');
      },
      want: 'changed',
    },
    {
      name: 'another mode',
      act: (dir: string) => {
        chmodSync(join(dir, 'auth/key'), 0o640);
      },
      want: 'changed',
    },
    {
      name: 'no file',
      act: (dir: string) => {
        rmSync(join(dir, 'auth/key'));
      },
      want: 'gone',
    },
    {
      name: 'a folder instead of a file',
      act: (dir: string) => {
        rmSync(join(dir, 'auth/key'));
        mkdirSync(join(dir, 'auth/key'), { mode: 0o600 });
      },
      want: 'changed',
    },
  ])('is changed with $name', ({ act, want }) => {
    const site = copied();
    act(site.dir);
    expect(oddIn(site)).toEqual({ path: 'auth/key', is: want });
  });

  it('is changed with a state that other users can read', () => {
    const site = copied();
    chmodSync(join(site.dir, state), 0o644);
    expect(oddIn(site)).toEqual({ path: state, is: 'changed' });
  });

  it('keeps files of other programs', () => {
    const site = copied({ sha256: '', mode: 0o644 });
    writeFileSync(join(site.dir, 'auth/key'), 'of somebody else');
    expect(oddIn(site)).toBeUndefined();
    rmSync(join(site.dir, 'auth/key'));
    expect(oddIn(site)).toEqual({ path: 'auth/key', is: 'gone' });
  });

  it('gets a new record time only if allowed and possible', () => {
    const site = copied();
    const path = join(site.dir, recordName);
    const mtime = (): number => statSync(path).mtimeMs;
    expect([oddIn(site), mtime()]).toEqual([undefined, 1000]);
    replaceFsCalls(() => ({ utimesSync: failing('EROFS') }));
    expect([oddIn(site, true), mtime()]).toEqual([undefined, 1000]);
  });

  it('is trusted after a rename of the record, and read again if its time is ambiguous', () => {
    const { dir, copy } = copied();
    const path = join(dir, recordName);
    writeFileSync(join(dir, 'auth/key'), 'kex');
    const before = statSync(join(dir, 'auth/key'), { bigint: true }).ctimeNs;
    const isLater = (): boolean => statSync(path, { bigint: true }).ctimeNs > before;
    do writeFileSync(path, recordFile(copy).contents);
    while (!isLater());
    expect(oddIn({ dir, copy })).toEqual({ path: 'auth/key', is: 'changed' });
    utimesSync(path, 1, 1);
    expect(oddIn({ dir, copy })).toBeUndefined();
  });

  it('is also read without a record in the folder', () => {
    const site = copied();
    rmSync(join(site.dir, recordName));
    expect(oddIn(site)).toBeUndefined();
    writeFileSync(join(site.dir, 'auth/key'), 'kex');
    expect(oddIn(site)).toEqual({ path: 'auth/key', is: 'changed' });
  });
});
