import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { publicFile, secretFile } from '../../../src/core/output-file.js';
import { areUnmodified, planOutputs, unmodifiedOutputs, type OutputPlan } from '../../../src/disk/outputs.js';
import { sha256 } from '../../../src/formats/sha256.js';
import { processIs } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

let dir = '';
beforeEach(() => {
  dir = scratchFolder();
});

function lay(files: Readonly<Record<string, string>>, mode = 0o644): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(dir, path, '..'), { recursive: true });
    writeFileSync(join(dir, path), text);
    chmodSync(join(dir, path), mode);
  }
}

const hashes = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, sha256(text)]));

function inTheWay(file: string, message: string): object {
  const hint = `move ${file} away and run the command again`;
  return { code: 'dir/output-edited', severity: 'error', message, at: { file }, hint };
}

const edited = (path: string): object =>
  inTheWay(path, `${path} was edited after it was written; the change would be lost`);

describe('a plan of outputs', () => {
  it('has the files to write, their sizes and hashes', () => {
    const [text, bytes] = [publicFile('a', '\u00fc'), secretFile('b', new Uint8Array([1, 2, 255]))];
    lay({ c: 'c' });
    expect(planOutputs(dir, [text, bytes, publicFile('c', 'c')], { written: {}, owned: [] })).toEqual({
      writes: [text, bytes],
      removals: [],
      changes: [
        { path: 'a', change: 'written', bytes: 2, mode: 0o644 },
        { path: 'b', change: 'written', bytes: 3, mode: 0o600 },
        { path: 'c', change: 'unchanged', bytes: 1, mode: 0o644 },
      ],
      written: { a: sha256('\u00fc'), b: sha256(new Uint8Array([1, 2, 255])) },
      problems: [],
    });
  });

  it.each([
    {
      name: 'changed after it was written',
      written: { a: 'ours' },
      message: 'a was edited after it was written; the change would be lost',
    },
    {
      name: 'created by the user',
      written: {},
      message: 'a already exists and was not written by sno-install',
    },
  ])('has a problem for a file that was $name', ({ written, message }) => {
    lay({ a: 'theirs' });
    const { problems } = planOutputs(dir, [publicFile('a', 'new')], { written: hashes(written), owned: [] });
    expect(problems).toEqual([inTheWay('a', message)]);
  });

  it('has no problem for a missing file of its own', () => {
    const written = hashes({ a: 'ours' });
    const { changes, problems } = planOutputs(dir, [publicFile('a', 'new')], { written, owned: [] });
    expect([changes.map(({ change }) => change), problems]).toEqual([['written'], []]);
  });

  it('has a problem for a path that is not a file', () => {
    mkdirSync(join(dir, 'a'));
    const message = 'cannot compare a with the output to write there: it is a folder, not a file';
    const plan = planOutputs(dir, [publicFile('a', 'new')], { written: {}, owned: [] });
    expect(plan.problems).toEqual([inTheWay('a', message)]);
    expect(plan.changes).toEqual([{ path: 'a', change: 'written', bytes: 3, mode: 0o644 }]);
  });
});

describe('obsolete outputs', () => {
  const removed = (written: Readonly<Record<string, string>>, owned: readonly string[]): OutputPlan =>
    planOutputs(dir, [publicFile('own/made', 'm')], { written: hashes(written), owned });

  it('are removed in order, if they are unchanged', () => {
    const written = {
      'own/b': 'b',
      'own/a': 'a',
      'own/deep/c': 'c',
      file: 'f',
      'owner/d': 'd',
      'own/made': 'm',
    };
    lay(written);
    const plan = removed(written, ['own', 'file']);
    expect(plan.removals).toEqual(['file', 'own/a', 'own/b', 'own/deep/c']);
    expect(plan.written).toEqual(hashes({ 'owner/d': 'd', 'own/made': 'm' }));
    expect(plan.changes.slice(1)).toEqual(
      plan.removals.map((path) => ({ path, change: 'removed', bytes: 0, mode: 0 })),
    );
  });

  it('are kept if they were changed or replaced', () => {
    lay({ 'own/a': 'changed' });
    mkdirSync(join(dir, 'own/folder'));
    const written = { 'own/a': 'a', 'own/folder': 'x', 'own/gone': 'y' };
    const plan = removed(written, ['own']);
    expect([plan.removals, plan.problems]).toEqual([[], []]);
    expect(plan.written).toEqual(hashes({ ...written, 'own/made': 'm' }));
  });
});

describe('outputs that change their form', () => {
  const written = { 'w.ign': 'w', 'm.ign': 'm', gone: 'g' };
  const replacing = (...replaced: readonly string[]): OutputPlan =>
    planOutputs(dir, [], { written: hashes(written), owned: [], replaced });

  it('are removed if they are unchanged, and all forgotten', () => {
    lay({ 'w.ign': 'w', 'm.ign': 'm' });
    const plan = replacing('w.ign', 'gone', 'never');
    expect([plan.removals, plan.problems]).toEqual([['w.ign'], []]);
    expect(plan.changes).toEqual([{ path: 'w.ign', change: 'removed', bytes: 0, mode: 0 }]);
    expect(plan.written).toEqual(hashes({ 'm.ign': 'm' }));
  });

  it('are a problem if they were changed', () => {
    lay({ 'w.ign': 'changed', never: 'theirs' });
    mkdirSync(join(dir, 'm.ign'));
    const plan = replacing('w.ign', 'm.ign', 'never');
    expect([plan.removals, plan.problems]).toEqual([[], [edited('w.ign'), edited('m.ign')]]);
  });
});

it('reports which written outputs are unchanged', () => {
  lay({ a: 'a', 'sub/b': 'b', changed: 'other' });
  mkdirSync(join(dir, 'folder'));
  symlinkSync('a', join(dir, 'link'));
  const written = hashes({ a: 'a', 'sub/b': 'b', changed: 'c', folder: 'd', link: 'a', gone: 'e' });
  expect(unmodifiedOutputs(dir, written)).toEqual(hashes({ a: 'a', 'sub/b': 'b', link: 'a' }));
});

describe('outputs are unchanged', () => {
  const outputs = [
    { path: 'a', mode: 0o644 },
    { path: 'sub/b', mode: 0o644 },
  ];
  const asWritten = (written = hashes({ a: 'a', 'sub/b': 'b' })): boolean =>
    areUnmodified(dir, outputs, written);

  beforeEach(() => {
    lay({ a: 'a', 'sub/b': 'b' });
  });

  it('with equal bytes and modes', () => {
    expect([asWritten(), areUnmodified(dir, [], {})]).toEqual([true, true]);
  });

  it.each([
    { name: 'one was changed', files: { 'sub/b': 'other' }, mode: 0o644 },
    { name: 'one is readable by fewer users', files: { 'sub/b': 'b' }, mode: 0o600 },
    { name: 'one has an additional mode bit', files: { a: 'a' }, mode: 0o4644 },
  ])('not if $name', ({ files, mode }) => {
    lay(files, mode);
    expect(asWritten()).toBe(false);
  });

  it('not if one is missing or was not written', () => {
    expect([asWritten(hashes({ a: 'a' })), areUnmodified(dir, [{ path: 'gone', mode: 0o644 }], {})]).toEqual([
      false,
      false,
    ]);
  });

  it('with any modes on file systems without modes', () => {
    chmodSync(join(dir, 'a'), 0o777);
    processIs({ platform: 'win32' });
    expect(asWritten()).toBe(true);
  });
});
