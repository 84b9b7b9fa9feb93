import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { containedInputs } from '../../../src/disk/external-files/contained-inputs.js';
import { uncachedInputs } from '../../../src/disk/read-inputs.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { Inputs } from '../../../src/graph/context.js';
import { scratchFolder } from '../../support/scratch.js';

let [top, dir] = ['', ''];
beforeAll(() => {
  top = scratchFolder();
  dir = join(top, 'site');
  for (const folder of ['site/sub', 'site/..sub', 'site-2', 'other'])
    mkdirSync(join(top, folder), { recursive: true });
  for (const file of ['site/a', 'site/sub/b', 'site/..sub/c', 'site/..d', 'site-2/e', 'other/f'])
    writeFileSync(join(top, file), `text of ${file}`);
  for (const [name, target] of [
    ['site/to-sub', 'sub'],
    ['site/to-a', 'sub/../a'],
    ['site/to-other', '../other'],
    ['site/to-f', '../other/f'],
    ['site/to-nothing', '../nothing'],
    ['by-link', 'site'],
  ] as const)
    symlinkSync(target, join(top, name));
});

/** The input at a path. Checks that its digest is the hash of its contents. */
function found(path: string, inputs: Inputs = containedInputs(dir, uncachedInputs(dir))): unknown {
  const [read, digest] = [inputs.read(path), inputs.digest(path)];
  if (read.kind !== 'file') {
    expect(digest).toEqual(read);
    return read;
  }
  expect(digest).toEqual({ kind: 'file', sha256: sha256(read.bytes) });
  return Buffer.from(read.bytes).toString();
}

const outside = { kind: 'unreadable', reason: 'it is outside the named folder' };

describe('a file of a reviewed folder', () => {
  it.each([
    ['a', 'text of site/a'],
    ['sub/b', 'text of site/sub/b'],
    ['sub/../a', 'text of site/a'],
    ['../site/a', 'text of site/a'],
    ['..sub/c', 'text of site/..sub/c'],
    ['..d', 'text of site/..d'],
    ['to-a', 'text of site/a'],
    ['to-sub/b', 'text of site/sub/b'],
    ['missing', { kind: 'absent' }],
    ['to-nothing', { kind: 'unreadable', reason: 'it is a symbolic link to a file that does not exist' }],
  ])('is read: %s', (path, want) => {
    expect(found(path)).toEqual(want);
  });

  it.each(['../other/f', '../site-2/e', '../other/nothing', 'sub/../../other/f', 'to-f', 'to-other/f'])(
    'is not read outside of the folder: %s',
    (path) => {
      expect(found(path)).toEqual(outside);
    },
  );

  it('may be named by its absolute path, unlike other files', () => {
    const names = ['site/a', 'site/to-f', 'other/f', 'site-2/e'];
    expect(names.map((name) => found(join(top, name)))).toEqual([
      'text of site/a',
      outside,
      outside,
      outside,
    ]);
  });

  it('is read by any name of the folder', () => {
    for (const name of [join(top, 'by-link'), relative('.', dir)]) {
      const inputs = containedInputs(name, uncachedInputs(name));
      expect(['a', 'to-a', '../other/f', 'to-f'].map((path) => found(path, inputs))).toEqual([
        'text of site/a',
        'text of site/a',
        outside,
        outside,
      ]);
    }
  });

  it('is read outside of the folder only if an option names it', () => {
    const inputs = containedInputs(dir, uncachedInputs(dir), ['../other/f', 'to-f']);
    expect(['../other/f', 'to-f', '../site-2/e'].map((path) => found(path, inputs))).toEqual([
      'text of other/f',
      'text of other/f',
      outside,
    ]);
  });
});

it.each([
  { folder: '.', want: ['..d', '..sub/', 'a', 'sub/', 'to-a', 'to-f', 'to-nothing', 'to-other', 'to-sub'] },
  { folder: 'to-sub', want: ['b'] },
  { folder: '..sub', want: ['c'] },
  { folder: 'missing', want: undefined },
  { folder: '..', want: undefined },
  { folder: '../other', want: undefined },
  { folder: 'to-other', want: undefined },
])('lists in folder $folder: $want', ({ folder, want }) => {
  const inputs = containedInputs(dir, uncachedInputs(dir), ['named']);
  expect(inputs.list(folder)).toEqual(want);
});

it('lists a folder that an option names', () => {
  expect(containedInputs(dir, uncachedInputs(dir), ['../other']).list('../other')).toEqual(['f']);
});

it('earlier outputs and external files of a config are unchanged', () => {
  const inputs: Inputs = {
    ...uncachedInputs(dir),
    written: (path) => `hash of ${path}`,
    writtenPaths: () => ['../x'],
    readReference: ({ field }) => ({ kind: 'unreadable', reason: field }),
  };
  const contained = containedInputs(dir, inputs);
  expect([contained.written('../x'), contained.writtenPaths()]).toEqual(['hash of ../x', ['../x']]);
  expect(contained.readReference({ field: 'sshKey', place: { kind: 'stdin' } })).toEqual({
    kind: 'unreadable',
    reason: 'sshKey',
  });
});
