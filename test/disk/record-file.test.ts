import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../src/core/result.js';
import { createRecordFolder, readRecord } from '../../src/disk/record-file.js';
import { scratchFolder } from '../support/scratch.js';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

describe('a record', () => {
  it('is read as text, or absent without a file', () => {
    const path = join(dir, 'record.json');
    expect(readRecord(path)).toEqual(success(''));
    writeFileSync(path, 'gr\u00fcn\n');
    expect(readRecord(path)).toEqual(success('gr\u00fcn\n'));
  });

  it('reports other file types', () => {
    const message = `the record ${dir} cannot be read: it is a folder, not a file`;
    const hint = 'restore the file; without it, machines may be booted again';
    expect(readRecord(dir)).toEqual(
      failure({ code: 'usage/unreadable-file', severity: 'error', message, at: { file: dir }, hint }),
    );
  });
});

describe('a folder for records', () => {
  it('is created with its parents, with mode 0700', () => {
    const paths = ['a', 'a/b'].map((name) => join(dir, name));
    expect(createRecordFolder(join(dir, 'a/b'))).toEqual(success(undefined));
    expect(paths.map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o700]);
  });

  it('is kept if it exists', () => {
    const path = join(dir, 'there');
    mkdirSync(path, { mode: 0o755 });
    expect(createRecordFolder(path)).toEqual(success(undefined));
    expect(statSync(path).mode & 0o777).toBe(0o755);
  });

  it.each([
    ['file', 'it already exists'],
    ['file/records', 'a component of its path is not a folder'],
  ])('is not created at %s', (name, reason) => {
    writeFileSync(join(dir, 'file'), 'mine');
    const path = join(dir, name);
    const message = `cannot make ${path}: ${reason}`;
    const hint = 'grant write permission, and run the command again';
    const want = failure({ code: 'dir/not-writable', severity: 'error', message, hint });
    expect(createRecordFolder(path)).toEqual(want);
  });
});
