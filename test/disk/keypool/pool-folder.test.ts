import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { problemsOf, type Result } from '../../../src/core/result.js';
import { claimKit, freeKits } from '../../../src/disk/keypool/free-kits.js';
import { holderOf } from '../../../src/disk/keypool/given-notes.js';
import { contentsOf } from '../../../src/disk/keypool/pool-contents.js';
import { adoptPool, beginPart, beginPool, openPool, seePool } from '../../../src/disk/keypool/pool-folder.js';
import { moveFolder } from '../../../src/disk/keypool/sole-folder.js';
import { clearDrafts, eraseTaken } from '../../../src/disk/keypool/taken-kits.js';
import { splitPool } from '../../../src/fleet/keys/split-pool.js';
import { addKit, chanceOf, freeIn, keysOf, madePool, needFor } from '../../support/made-kits.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundValue } from '../../support/sound-value.js';

const codes = (result: Result<unknown>): readonly string[] => problemsOf(result).map(({ code }) => code);

describe('a pool', () => {
  it('is for its owner alone, and stays what it is when it is moved', () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    expect([pool.path, join(pool.path, 'pool.json')].map((path) => statSync(path).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
    renameSync(pool.path, join(dir, 'moved'));

    expect(soundValue(openPool(join(dir, 'moved'))).id).toBe(pool.id);
    expect(soundValue(beginPool(join(dir, 'moved'))).id).toBe(pool.id);
  });

  it('is not believed when it is a copy, until it is adopted', () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    const copy = join(dir, 'copy');
    cpSync(pool.path, copy, { recursive: true });

    expect([codes(openPool(copy)), codes(beginPool(copy))]).toEqual([
      ['fleet/keys-copied'],
      ['fleet/keys-copied'],
    ]);
    expect(soundValue(adoptPool(copy)).id).toBe(pool.id);
    expect(soundValue(openPool(copy)).id).toBe(pool.id);
  });

  it('is not believed when it was deleted and brought back in the same place', () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    cpSync(pool.path, join(dir, 'backup'), { recursive: true });
    rmSync(pool.path, { recursive: true });
    cpSync(join(dir, 'backup'), pool.path, { recursive: true });

    expect(codes(openPool(pool.path))).toEqual(['fleet/keys-copied']);
  });

  test.each([
    { name: 'none', text: undefined, code: 'fleet/keys-missing' },
    { name: 'one without JSON', text: 'pool', code: 'fleet/keys-unreadable' },
    { name: 'one with another name', text: '{ "pool": "../x" }', code: 'fleet/keys-unreadable' },
  ])('is refused where there is $name', ({ text, code }) => {
    const dir = scratchFolder();
    if (text !== undefined) writeFileSync(join(dir, 'pool.json'), text);

    expect([codes(openPool(dir)), codes(adoptPool(dir))]).toEqual([[code], [code]]);
  });

  it('loses what a killed run had on its way when it is filled again', () => {
    const pool = madePool(scratchFolder());
    mkdirSync(join(pool.drafts, 'half'), { recursive: true });
    writeFileSync(join(pool.drafts, 'half/x.age'), 'age');

    clearDrafts(pool);

    expect(readdirSync(pool.drafts)).toEqual([]);
  });
});

describe('parts of a pool', () => {
  it('have every key once, and are pools where they are carried to', async () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    const need = needFor(['a']);
    const kits = [];
    for (let index = 0; index < 5; index += 1) kits.push(await addKit(pool, need));
    await addKit(pool, needFor(['a', 'b']));
    const paths = ['1', '2'].map((name) => join(dir, `keys-${name}`));

    const parts = soundValue(splitPool(pool, paths));

    expect(parts.map((part) => part.kits).toSorted()).toEqual([3, 3]);
    expect(freeIn(pool)).toBe(0);
    cpSync(paths[0] ?? '', join(dir, 'far'), { recursive: true });
    const far = soundValue(openPool(join(dir, 'far')));
    const keys = await keysOf(await chanceOf(far, 'north-1'), ['a']);
    expect(kits.map((kit) => kit.keys)).toContainEqual(keys);
    expect(codes(openPool(paths[1] ?? ''))).toEqual([]);
  });

  it('stay parts when somebody looks into them, and can be carried then', async () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    await addKit(pool, needFor(['a']));
    const part = join(dir, 'keys-1');
    soundValue(splitPool(pool, [part]));

    expect(freeIn(soundValue(seePool(part)))).toBe(1);

    cpSync(part, join(dir, 'far'), { recursive: true });
    const far = soundValue(openPool(join(dir, 'far')));
    expect([freeIn(far), codes(seePool(far.path))]).toEqual([1, []]);
    cpSync(far.path, join(dir, 'copy'), { recursive: true });
    expect(codes(seePool(join(dir, 'copy')))).toEqual(['fleet/keys-copied']);
  });

  it('are gone on with when a split was interrupted, and are no pools in use', async () => {
    const dir = scratchFolder();
    const pool = madePool(dir);
    for (let index = 0; index < 3; index += 1) await addKit(pool, needFor(['a']));
    const paths = ['1', '2'].map((name) => join(dir, `keys-${name}`));
    soundValue(splitPool(pool, paths));
    await addKit(pool, needFor(['a']));

    expect(soundValue(splitPool(pool, paths)).map(({ kits }) => kits)).toEqual([2, 2]);

    soundValue(openPool(paths[0] ?? ''));
    expect(codes(splitPool(pool, paths))).toEqual(['fleet/keys-part']);
    const other = madePool(scratchFolder());
    expect(codes(beginPart(paths[1] ?? '', other))).toEqual(['fleet/keys-part']);
  });
});

it('a folder is moved to one name by one alone, and none is replaced', () => {
  const dir = scratchFolder();
  for (const name of ['a', 'b']) {
    mkdirSync(join(dir, name));
    writeFileSync(join(dir, name, 'file'), name);
  }

  expect(moveFolder(join(dir, 'a'), join(dir, 'c'))).toBe('moved');
  expect(moveFolder(join(dir, 'b'), join(dir, 'c'))).toBe('there');
  expect(moveFolder(join(dir, 'a'), join(dir, 'd'))).toBe('gone');
  expect(readFileSync(join(dir, 'c/file'), 'utf8')).toBe('a');
});

it('a kit that another run of its site took, and had not opened, is given for good when it is erased', async () => {
  const pool = madePool(scratchFolder());
  const need = needFor(['a']);
  await addKit(pool, need);
  const [id = ''] = freeKits(pool)[0]?.ids ?? [];
  claimKit(pool, { need, id }, { site: 'north-1', number: 1 });

  eraseTaken(pool, 'north-1');

  const { free, given, taking, served } = contentsOf(pool);
  expect([free.flatMap(({ ids }) => ids), given, taking, [...served]]).toEqual([[], 1, [], ['north-1']]);
  expect(holderOf(pool, id, 'north-1')).toBe('erased');
});

it('no key goes to two sites, and none is lost, by processes that are killed meanwhile', () => {
  const { status, stdout } = spawnSync(
    process.execPath,
    [resolve('scripts/key-pool-stress.mjs'), '12', '3'],
    {
      encoding: 'utf8',
    },
  );

  expect([status, JSON.parse(stdout)], stdout).toMatchObject([
    0,
    { ok: true, twice: 0, changed: 0, kits: 12, refused: 0, plain: 0 },
  ]);
}, 300_000);
