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
  it('has its record, state and outputs, with the modes of the record', () => {
    lay(outputs);
    writeFileSync(join(dir, 'of-somebody-else'), '');
    for (const { path } of outputs) chmodSync(join(dir, path), 0o640);
    const own = file(recordName, readFileSync(join(dir, recordName), 'utf8'));
    expect(readSiteContents(dir)).toEqual(
      success({ record: { version: 1, ...record }, files: [own, state, ...outputs] }),
    );
  });

  it('is rejected without a record', () => {
    lay(outputs);
    rmSync(join(dir, recordName));
    expect(readSiteContents(dir)).toEqual(damaged('it has no record'));
  });

  test.each([stateFileName, ...outputs.map(({ path }) => path)])(
    'is reported as damaged without %s',
    (path) => {
      lay(outputs);
      rmSync(join(dir, path));
      expect(readSiteContents(dir)).toEqual(damaged(`${path} was changed after it was written`));
    },
  );

  test.each([stateFileName, ...outputs.map(({ path }) => path)])(
    'is reported as damaged with another %s',
    (path) => {
      lay(outputs);
      writeFileSync(join(dir, path), `${encryptedFile}\n`);
      expect(readSiteContents(dir)).toEqual(damaged(`${path} was changed after it was written`));
    },
  );

  it('is not uploaded with a plain-text state', () => {
    lay(outputs, '{}');
    expect(readSiteContents(dir)).toEqual(plain(stateFileName));
  });

  test.each([
    { name: 'a config', given: file('worker.ign', '{}') },
    { name: 'a plain config with the name of an encrypted one', given: file('worker.ign.age', '{}') },
    {
      name: 'a plain kubeconfig with the name of an encrypted one, mode 0644',
      given: file('auth/a.age', 'x', 0o644),
    },
    { name: 'a file with mode 0600', given: file('secret', encryptedFile) },
  ])('is not uploaded with $name', ({ given }) => {
    lay([file('metadata.json', '{}', 0o644), given]);
    expect(readSiteContents(dir)).toEqual(plain(given.path));
  });

  test.each([0o640, 0o604, 0o666])('contains files with mode %o', (mode) => {
    const open = file('metadata.json', '{}', mode);
    lay([open]);
    expect(readSiteContents(dir)).toMatchObject({ ok: true, value: { files: [{}, {}, open] } });
  });
});

describe('checks the files of a site against its record', () => {
  const all = [state, ...outputs];
  const without = (path: string): readonly SiteContent[] => all.filter((each) => each.path !== path);

  test.each<{ name: string; given: readonly SiteContent[]; want: boolean }>([
    { name: 'accepts all of them', given: all, want: true },
    {
      name: 'accepts any order, with the record',
      given: [...all, recordFileOf(record)].reverse(),
      want: true,
    },
    { name: 'rejects a missing state', given: outputs, want: false },
    { name: 'rejects a missing output', given: without('metadata.json'), want: false },
    { name: 'rejects an additional file', given: [...all, file('more', '')], want: false },
    {
      name: 'rejects another name',
      given: [...without('metadata.json'), file('x', '{}', 0o644)],
      want: false,
    },
    {
      name: 'rejects a duplicate instead of another file',
      given: [...without('metadata.json'), state],
      want: false,
    },
    { name: 'rejects a duplicate', given: [...all, state], want: false },
    {
      name: 'rejects another mode',
      given: [...without('metadata.json'), file('metadata.json', '{}')],
      want: false,
    },
    {
      name: 'rejects a state that other users can read',
      given: [...outputs, file(stateFileName, encryptedFile, 0o644)],
      want: false,
    },
    {
      name: 'rejects other bytes',
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
