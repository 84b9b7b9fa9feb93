import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, test } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import {
  generateRecordKey,
  ensureRecordKey,
  parseRecordKey,
  readRecordKey,
} from '../../../src/disk/site-record/record-key.js';
import { replaceFsCalls, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const fileName = '.sno-install-fleet-key';
const key = '0123456789abcdef'.repeat(4);
const other = 'f'.repeat(64);

test.each([
  { name: 'a key', text: key, want: key },
  { name: 'a key with a newline', text: `${key}\n`, want: key },
  { name: 'nothing', text: '', want: undefined },
  { name: 'one digit too few', text: key.slice(1), want: undefined },
  { name: 'one digit too many', text: `${key}0`, want: undefined },
  { name: 'other characters', text: 'g'.repeat(64), want: undefined },
  { name: 'two keys', text: `${key}\n${other}`, want: undefined },
])('recognizes $name', ({ text, want }) => {
  const dir = scratchFolder();
  writeFileSync(join(dir, fileName), text);
  expect([parseRecordKey(Buffer.from(text)), readRecordKey(dir)]).toEqual([want, want]);
});

it('returns no key for an empty folder and other file types', () => {
  const dir = scratchFolder();
  expect([readRecordKey(dir), readRecordKey(join(dir, 'nothing'))]).toEqual([undefined, undefined]);
  mkdirSync(join(dir, fileName));
  expect(readRecordKey(dir)).toBeUndefined();
});

it('generates a new key each time', () => {
  const drawn = [generateRecordKey(), generateRecordKey()];
  expect(drawn.map((each) => parseRecordKey(Buffer.from(each)))).toEqual(drawn);
  expect(drawn[0]).not.toBe(drawn[1]);
});

it('keeps an existing key, even if another is given', () => {
  const dir = scratchFolder();
  writeFileSync(join(dir, fileName), key);
  expect([ensureRecordKey(dir), ensureRecordKey(dir, other)]).toEqual([success(key), success(key)]);
  expect(readFileSync(join(dir, fileName), 'utf8')).toBe(key);
});

it('writes the given key with mode 0600 if there is none', () => {
  const dir = scratchFolder();
  expect(ensureRecordKey(dir, other)).toEqual(success(other));
  const path = join(dir, fileName);
  expect([readFileSync(path, 'utf8'), statSync(path).mode & 0o777]).toEqual([`${other}\n`, 0o600]);
});

it('generates a key without a given one, and keeps it', () => {
  const dir = scratchFolder();
  const drawn = ensureRecordKey(dir);
  expect(drawn.ok && parseRecordKey(Buffer.from(drawn.value))).toBe(readRecordKey(dir));
  expect(drawn).toEqual(success(readRecordKey(dir)));
  expect(ensureRecordKey(dir)).toEqual(drawn);
});

it('returns no key if it cannot be written', () => {
  const dir = scratchFolder();
  replaceFsCalls(() => ({
    writeFileSync: failing('ENOSPC'),
    openSync: failing('ENOSPC'),
    mkdirSync: failing('ENOSPC'),
  }));
  const message = `cannot write in ${dir}: the disk is full`;
  const hint = 'free disk space or grant write permission, and run the command again';
  const problems = [{ code: 'dir/not-writable', severity: 'error', message, hint }] as const;
  expect(ensureRecordKey(dir, key)).toEqual(failure(...problems));
});
