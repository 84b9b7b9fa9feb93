import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { readReference } from '../../../src/disk/external-files/read-reference.js';
import type { Stdin } from '../../../src/disk/external-files/standard-input.js';
import type { Reference } from '../../../src/graph/context.js';
import { scratchFolder } from '../../support/scratch.js';

const mebibyte = 1024 * 1024;
const most = 'a'.repeat(mebibyte);
const more = 'a'.repeat(mebibyte + 1);
const tooLarge = { kind: 'unreadable', reason: 'it is larger than 1048576 bytes' };

let dir = '';
beforeAll(() => {
  dir = scratchFolder();
  mkdirSync(join(dir, 'sub'));
  writeFileSync(join(dir, 'sub/secret'), 'k\u00e9y\n');
  writeFileSync(join(dir, 'most'), most);
  writeFileSync(join(dir, 'more'), more);
});

const variables = { SET: 'k\u00e9y', EMPTY: '', UNSET: undefined, MOST: most, MORE: more };
const nothing: Stdin = (reader) => ({ kind: 'unreadable', reason: `nothing for ${reader}` });

/** The text of a reference, or why it cannot be read. */
function read(place: Reference['place'], stdin = nothing): unknown {
  const { kind, ...rest } = readReference({ place, field: 'pullSecret' }, dir, { variables, stdin });
  if (!('bytes' in rest)) return { kind, ...rest };
  expect([kind, Object.keys(rest)]).toEqual(['file', ['bytes']]);
  return Buffer.from(rest.bytes).toString();
}

describe('a file named by a field', () => {
  it.each([
    { path: 'sub/secret', want: 'k\u00e9y\n' },
    { path: './sub/../sub/secret', want: 'k\u00e9y\n' },
    { path: 'missing', want: { kind: 'absent' } },
    { path: 'sub', want: { kind: 'unreadable', reason: 'it is a folder, not a file' } },
    { path: 'most', want: most },
    { path: 'more', want: tooLarge },
  ])('is read from the folder of the config: $path', ({ path, want }) => {
    expect(read({ kind: 'file', path })).toEqual(want);
  });

  it('may be named by its absolute path', () => {
    expect(read({ kind: 'file', path: join(dir, 'sub/secret') })).toBe('k\u00e9y\n');
  });
});

describe('a variable named by a field', () => {
  it.each([
    { name: 'SET', want: 'k\u00e9y' },
    { name: 'EMPTY', want: '' },
    { name: 'UNSET', want: { kind: 'absent' } },
    { name: 'OTHER', want: { kind: 'absent' } },
    { name: 'MOST', want: most },
    { name: 'MORE', want: tooLarge },
  ])('$name', ({ name, want }) => {
    expect(read({ kind: 'variable', name })).toEqual(want);
  });
});

describe('stdin named by a field', () => {
  it.each([
    { name: 'text', given: 'k\u00e9y', want: 'k\u00e9y' },
    { name: 'a mebibyte', given: most, want: most },
    { name: 'more than that', given: more, want: tooLarge },
  ])('returns $name', ({ given, want }) => {
    const stdin: Stdin = () => ({ kind: 'file', bytes: Buffer.from(given) });
    expect(read({ kind: 'stdin' }, stdin)).toEqual(want);
  });

  it('is read for the field, and reports why nothing was read', () => {
    expect(read({ kind: 'stdin' })).toEqual({ kind: 'unreadable', reason: 'nothing for pullSecret' });
  });
});
