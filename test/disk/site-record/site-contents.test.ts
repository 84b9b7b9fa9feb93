import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { beforeEach, describe, expect, it, test } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import {
  filesMatchRecord,
  readSiteContents,
  type SiteContent,
} from '../../../src/disk/site-record/site-contents.js';
import { recordFile, recordName, type SiteRecord } from '../../../src/disk/site-record/site-record.js';
import { stateFileName } from '../../../src/disk/state/state-file.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { encryptedFile } from '../../support/age-keys.js';
import { scratchFolder } from '../../support/scratch.js';

const file = (path: string, text: string, mode = 0o600): SiteContent => ({
  path,
  mode,
  contents: Buffer.from(text),
});

const outputs = [
  file('auth/kubeconfig.age', encryptedFile),
  file('metadata.json', '{}', 0o644),
  file('worker.ign.age', encryptedFile),
];
const state = file(stateFileName, encryptedFile);

function recordOf(written: readonly SiteContent[], stateText = encryptedFile): SiteRecord {
  return {
    program: 'x',
    questions: [],
    fingerprint: '',
    issued: '2026-11-02T03:04:05Z',
    warnings: [],
    state: sha256(stateText),
    outputs: written.map(({ path, mode, contents }) => ({ path, mode, sha256: sha256(contents) })),
  };
}

const record = recordOf(outputs);

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(written: readonly SiteContent[], stateText = encryptedFile): void {
  const made = recordFile(recordOf(written, stateText));
  for (const { path, contents, mode } of [...written, file(stateFileName, stateText), made]) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), contents, { mode });
  }
}

function damaged(reason: string): object {
  const message = `the written files were removed: ${reason}`;
  return failure({ code: 'store/damaged', severity: 'error', message });
}

function plain(path: string): object {
  const message = `${path} of this site is not encrypted`;
  const hint =
    'set `recipients` and `encryptOutputs: true` in fleet.yaml, and remove `state` from sno-config.yaml';
  return failure({ code: 'store/plain', severity: 'error', message, hint });
}

describe('a site in its folder', () => {
  it('is its record, its state and its outputs, with the modes of the record', () => {
    lay(outputs);
    writeFileSync(join(dir, 'of-somebody-else'), '');
    for (const { path } of outputs) chmodSync(join(dir, path), 0o640);
    const own = file(recordName, readFileSync(join(dir, recordName), 'utf8'));
    expect(readSiteContents(dir)).toEqual(
      success({ record: { version: 1, ...record }, files: [own, state, ...outputs] }),
    );
  });

  it('is none without a record', () => {
    lay(outputs);
    rmSync(join(dir, recordName));
    expect(readSiteContents(dir)).toEqual(damaged('it has no record'));
  });

  test.each([stateFileName, ...outputs.map(({ path }) => path)])('is damaged without %s', (path) => {
    lay(outputs);
    rmSync(join(dir, path));
    expect(readSiteContents(dir)).toEqual(damaged(`${path} was changed after it was written`));
  });

  test.each([stateFileName, ...outputs.map(({ path }) => path)])('is damaged with another %s', (path) => {
    lay(outputs);
    writeFileSync(join(dir, path), `${encryptedFile}\n`);
    expect(readSiteContents(dir)).toEqual(damaged(`${path} was changed after it was written`));
  });

  it('is not carried with a state in plain text', () => {
    lay(outputs, '{}');
    expect(readSiteContents(dir)).toEqual(plain(stateFileName));
  });

  test.each([
    { name: 'a config', given: file('worker.ign', '{}') },
    { name: 'a config that is called encrypted', given: file('worker.ign.age', '{}') },
    { name: 'a kubeconfig that is called encrypted, for all', given: file('auth/a.age', 'x', 0o644) },
    { name: 'what only its owner reads', given: file('secret', encryptedFile) },
  ])('is not carried with $name', ({ given }) => {
    lay([file('metadata.json', '{}', 0o644), given]);
    expect(readSiteContents(dir)).toEqual(plain(given.path));
  });

  test.each([0o640, 0o604, 0o666])('contains files with mode %o', (mode) => {
    const open = file('metadata.json', '{}', mode);
    lay([open]);
    expect(readSiteContents(dir)).toMatchObject({ ok: true, value: { files: [{}, {}, open] } });
  });
});

describe('files of a site are those of its record', () => {
  const all = [state, ...outputs];
  const without = (path: string): readonly SiteContent[] => all.filter((each) => each.path !== path);

  test.each<{ name: string; given: readonly SiteContent[]; want: boolean }>([
    { name: 'all of them', given: all, want: true },
    { name: 'in any order, with the record', given: [...all, recordFileOf(record)].reverse(), want: true },
    { name: 'not without the state', given: outputs, want: false },
    { name: 'not without an output', given: without('metadata.json'), want: false },
    { name: 'not with one more', given: [...all, file('more', '')], want: false },
    {
      name: 'not with another name',
      given: [...without('metadata.json'), file('x', '{}', 0o644)],
      want: false,
    },
    {
      name: 'not with one twice in place of another',
      given: [...without('metadata.json'), state],
      want: false,
    },
    { name: 'not with one twice', given: [...all, state], want: false },
    {
      name: 'not with another mode',
      given: [...without('metadata.json'), file('metadata.json', '{}')],
      want: false,
    },
    {
      name: 'not with a state for others',
      given: [...outputs, file(stateFileName, encryptedFile, 0o644)],
      want: false,
    },
    {
      name: 'not with other bytes',
      given: [...without('metadata.json'), file('metadata.json', '{ }', 0o644)],
      want: false,
    },
  ])('$name', ({ given, want }) => {
    expect(filesMatchRecord(record, given)).toBe(want);
  });
});

function recordFileOf(of: SiteRecord): SiteContent {
  const { path, mode, contents } = recordFile(of);
  return { path, mode, contents: Buffer.from(contents) };
}
