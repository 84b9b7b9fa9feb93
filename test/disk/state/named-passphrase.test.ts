import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { noStandardInput as stdin, type Stdin } from '../../../src/disk/external-files/standard-input.js';
import { readPassphrase } from '../../../src/disk/state/named-keys.js';
import { scratchFolder } from '../../support/scratch.js';
import { missing, refusal } from './refusal.js';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(name: string, text: string): string {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
}

describe('a passphrase in a file', () => {
  it.each([
    ['pass', 'pass'],
    ['pass\n', 'pass'],
    ['pass\r\n', 'pass'],
    [' two  w\u00f6rds \n', ' two  w\u00f6rds '],
    ['pass\r', 'pass\r'],
  ])('of %j is its first line', (text, want) => {
    expect(readPassphrase('--passphrase-file', lay('phrase', text), stdin)).toEqual(success(want));
  });

  it.each([
    ['', 'is empty'],
    ['\n', 'is empty'],
    ['\r\n', 'is empty'],
    ['one\ntwo', 'has several lines'],
    ['one\n\n', 'has several lines'],
    ['\none', 'has several lines'],
  ])('is rejected as %j', (text, what) => {
    const path = lay('phrase', text);
    const want = refusal('state/identity', `--new-passphrase-file ${path} ${what}, expected a passphrase`);
    expect(readPassphrase('--new-passphrase-file', path, stdin)).toEqual(want);
  });

  it('is absent without a file, and may come from stdin', () => {
    const piped: Stdin = (reader) => ({ kind: 'file', bytes: Buffer.from(`${reader}\n`) });
    expect(readPassphrase('--passphrase-file', undefined, stdin)).toEqual(success(undefined));
    expect(readPassphrase('--passphrase-file', '-', piped)).toEqual(success('--passphrase-file'));
  });

  it('reports read errors', () => {
    const path = join(dir, 'gone');
    const want = missing('--passphrase-file', path);
    expect(readPassphrase('--passphrase-file', path, stdin)).toEqual(want);
  });
});
