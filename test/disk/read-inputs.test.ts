import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { cachedInputs, siteFolderInputs, readInput, uncachedInputs } from '../../src/disk/read-inputs.js';
import { sha256 } from '../../src/formats/sha256.js';
import type { Inputs } from '../../src/graph/context.js';
import { scratchFolder } from '../support/scratch.js';

/** Contents of a file before and after a change, read through the same inputs. */
function readTwice(open: (dir: string) => Inputs): readonly string[] {
  const dir = scratchFolder();
  const inputs = open(dir);
  return ['one', 'two'].map((text) => {
    writeFileSync(join(dir, 'site.yaml'), text);
    const read = inputs.read('site.yaml');
    return read.kind === 'file' ? Buffer.from(read.bytes).toString() : read.kind;
  });
}

describe('files of the user', () => {
  it('are read once per run', () => {
    expect(readTwice((dir) => cachedInputs(dir, {}))).toEqual(['one', 'one']);
  });

  it('of many sites are not cached', () => {
    expect(readTwice((dir) => uncachedInputs(dir))).toEqual(['one', 'two']);
  });

  it('that an earlier run wrote are identified by their hashes', () => {
    const inputs = cachedInputs(scratchFolder(), { 'b.ign': 'ab', 'a.ign': 'cd' });
    expect(inputs.writtenPaths()).toEqual(['a.ign', 'b.ign']);
    expect([inputs.written('b.ign'), inputs.written('c.ign')]).toEqual(['ab', undefined]);
    expect([inputs.read('a.ign').kind, inputs.list('nothing')]).toEqual(['absent', undefined]);
  });
});

describe('of sites with or without folders', () => {
  it('are found in their folder at every read', () => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'one'));
    const inputs = siteFolderInputs(dir);
    expect([inputs.read('one/f').kind, inputs.list('one')]).toEqual(['absent', []]);
    writeFileSync(join(dir, 'one/f'), 'text');
    expect([inputs.read('one/f').kind, inputs.digest('one/f').kind]).toEqual(['file', 'file']);
    expect(inputs.list('two/../one')).toEqual(['f']);
  });

  it('are absent without their folder, until another site is read', () => {
    const dir = scratchFolder();
    const inputs = siteFolderInputs(dir);
    const ask = (): readonly unknown[] => [
      inputs.read('one/f').kind,
      inputs.digest('one/f').kind,
      inputs.list('one'),
    ];
    expect(ask()).toEqual(['absent', 'absent', undefined]);
    mkdirSync(join(dir, 'one'));
    writeFileSync(join(dir, 'one/f'), 'text');
    expect(ask()).toEqual(['absent', 'absent', undefined]);
    expect(inputs.read('two/f')).toEqual({ kind: 'absent' });
    expect(ask()).toEqual(['file', 'file', ['f']]);
  });

  it('are not absent if their folder is inaccessible', () => {
    const dir = scratchFolder();
    symlinkSync('loop', join(dir, 'loop'));
    expect(siteFolderInputs(dir).read('loop/f').kind).toBe('unreadable');
    writeFileSync(join(dir, 'file'), 'text');
    expect(siteFolderInputs(dir).digest('file/f')).toEqual(uncachedInputs(dir).digest('file/f'));
  });
});

describe('of a folder', () => {
  const laid = (): string => {
    const dir = scratchFolder();
    mkdirSync(join(dir, 'sub'));
    mkdirSync(join(dir, 'B'));
    for (const name of ['a', 'C', 'sub-y', 'sub/x']) writeFileSync(join(dir, name), `text of ${name}`);
    symlinkSync('sub', join(dir, 'link'));
    return dir;
  };

  it.each([(dir: string) => cachedInputs(dir, {}), uncachedInputs, siteFolderInputs])(
    'are read by relative or absolute path',
    (open) => {
      const dir = laid();
      const inputs = open(dir);
      const file = { kind: 'file', bytes: Buffer.from('text of sub/x') };
      expect([inputs.read('sub/x'), inputs.read(join(dir, 'sub/x'))]).toEqual([file, file]);
      expect(inputs.read('sub')).toEqual({ kind: 'unreadable', reason: 'it is a folder, not a file' });
      expect(inputs.digest('sub/x')).toEqual({ kind: 'file', sha256: sha256('text of sub/x') });
      expect(inputs.digest('none')).toEqual({ kind: 'absent' });
      expect([inputs.list('.'), inputs.list('sub'), inputs.list('link'), inputs.list('a')]).toEqual([
        ['B/', 'C', 'a', 'link', 'sub-y', 'sub/'],
        ['x'],
        ['x'],
        undefined,
      ]);
    },
  );

  it('has no earlier outputs by default', () => {
    const inputs = uncachedInputs(laid());
    expect([inputs.written('a'), inputs.writtenPaths()]).toEqual([undefined, []]);
  });

  it.each([(dir: string) => cachedInputs(dir, {}), uncachedInputs, siteFolderInputs])(
    'reads fields only from files by default',
    (open) => {
      const inputs = open(laid());
      const field = 'pullSecret';
      expect(inputs.readReference({ field, place: { kind: 'variable', name: 'HOME' } })).toEqual({
        kind: 'absent',
      });
      expect(inputs.readReference({ field, place: { kind: 'stdin' } })).toEqual({
        kind: 'unreadable',
        reason: 'it is not read here',
      });
    },
  );

  it('reads fields from stdin and variables if allowed', () => {
    const stdin = (reader: string) => ({ kind: 'file' as const, bytes: Buffer.from(`for ${reader}`) });
    const dir = laid();
    for (const inputs of [
      cachedInputs(dir, {}, { variables: { A: 'a' }, stdin }),
      uncachedInputs(dir, { variables: { A: 'a' }, stdin }),
    ]) {
      const read = (place: Parameters<Inputs['readReference']>[0]['place']) =>
        inputs.readReference({ field: 'sshKey', place });
      const texts = [
        { kind: 'variable', name: 'A' },
        { kind: 'stdin' },
        { kind: 'file', path: 'a' },
      ] as const;
      expect(texts.map(read)).toEqual(
        ['a', 'for sshKey', 'text of a'].map((text) => ({ kind: 'file', bytes: Buffer.from(text) })),
      );
    }
  });
});

it('rejects an input above the size limit', () => {
  const path = join(scratchFolder(), 'a');
  writeFileSync(path, 'text');
  expect([readInput(path), readInput(path, 4), readInput(path, 3), readInput(`${path}/b`)]).toEqual([
    { kind: 'file', bytes: Buffer.from('text') },
    { kind: 'file', bytes: Buffer.from('text') },
    { kind: 'unreadable', reason: 'it is larger than 3 bytes' },
    { kind: 'unreadable', reason: 'a component of its path is not a folder' },
  ]);
});
