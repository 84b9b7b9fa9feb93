import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, test } from 'vitest';

import type { ProblemCode } from '../../../src/core/problem.js';
import { failure, success, type Result } from '../../../src/core/result.js';
import {
  adoptPool,
  beginPart,
  beginPool,
  isPool,
  newId,
  openPool,
  seePool,
  type PoolFolder,
} from '../../../src/disk/keypool/pool-folder.js';
import { callsAre, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';
import { soundValue } from '../../support/sound-value.js';

let dir = '';
beforeEach(() => {
  dir = join(scratchFolder(), 'keys');
});

const file = (): string => join(dir, 'pool.json');
const id = newId();

/** Lays a pool's file, such as that of a part. */
function lay(value: unknown): void {
  mkdirSync(dir, { recursive: true });
  writeFileSync(file(), typeof value === 'string' ? value : JSON.stringify(value));
}

function refused(code: ProblemCode, message: string, hint: string): object {
  return failure({ code, severity: 'error', message, hint });
}

function at(path: string): PoolFolder {
  const parts = ['free', 'taken', 'given', 'refused', 'drafts', 'notes'] as const;
  const folders = Object.fromEntries(parts.map((part) => [part, join(path, part)]));
  return { path, id, ...folders } as unknown as PoolFolder;
}

const mark = (path: string): object => {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return { inode: String(ino), born: String(birthtimeNs) };
};

describe('a pool', () => {
  it('is made with a name, and bound to its folder', () => {
    expect(isPool(dir)).toBe(false);
    const pool = soundValue(beginPool(dir));
    expect(isPool(dir)).toBe(true);
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
      version: 1,
      pool: pool.id,
      folder: mark(dir),
    });
    expect(readFileSync(file(), 'utf8').endsWith('}\n')).toBe(true);
    expect(pool).toEqual({ ...at(dir), id: pool.id });
    expect(readdirSync(dir)).toEqual(['pool.json']);
  });

  it.each([
    { name: 'without a time of its folder', change: { born: '0' }, isOne: true },
    { name: 'of another time', change: { born: '1' }, isOne: false },
    { name: 'of another folder, without a time', change: { inode: '1', born: '0' }, isOne: false },
    { name: 'of another folder', change: { inode: '1' }, isOne: false },
  ])('$name is one: $isOne', ({ change, isOne }) => {
    mkdirSync(dir);
    lay({ version: 1, pool: id, folder: { ...mark(dir), ...change } });
    const message = `${dir} is a copy of a pool: two of them would give the same keys to two sites`;
    const hint =
      'if no other copy was used since this one was made, or ever will be, run `sno-install fleet keys --adopt`';
    const want = isOne ? success(at(dir)) : refused('fleet/keys-copied', message, hint);
    expect([openPool(dir), seePool(dir), beginPool(dir)]).toEqual([want, want, want]);
  });

  it('is one where the system does not say when its folder was made', () => {
    mkdirSync(dir);
    lay({ version: 1, pool: id, folder: mark(dir) });
    callsAre(({ statSync: stat }) => ({
      statSync: ((path: string, options: object) =>
        Object.assign(stat(path, options) as object, { birthtimeNs: 0n })) as never,
    }));
    expect(seePool(dir)).toEqual(success(at(dir)));
  });

  it('cannot be made below a file', () => {
    writeFileSync(dir, '');
    const path = join(dir, 'keys');
    const message = `${path}/pool.json cannot be used: a part of its path is a file, not a folder`;
    const hint = 'restore it from a copy; without it nobody can tell which pool this is';
    expect(beginPool(path)).toEqual(refused('fleet/keys-unreadable', message, hint));
  });

  it('cannot be made where nothing can be', () => {
    callsAre(() => ({ mkdirSync: failing('EROFS') }));
    const message = `cannot make the pool ${dir}: the file system is read-only`;
    expect(beginPool(dir)).toEqual(failure({ code: 'dir/not-writable', severity: 'error', message }));
  });

  it('cannot be made where its file cannot be written', () => {
    callsAre(() => ({ openSync: failing('ENOSPC'), writeFileSync: failing('ENOSPC') }));
    const found = { ok: false, problems: [{ code: 'dir/not-writable' }] };
    expect([beginPool(dir), beginPart(dir, at(dir))]).toMatchObject([found, found]);
  });
});

describe('a part that nobody has used', () => {
  it('is bound to its folder when it is opened, and not when somebody looks into it', () => {
    lay({ version: 1, pool: id });
    expect(seePool(dir)).toEqual(success(at(dir)));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ version: 1, pool: id });
    expect(openPool(dir)).toEqual(success(at(dir)));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ version: 1, pool: id, folder: mark(dir) });
  });

  it('is begun once, and gone on with', () => {
    expect(beginPart(dir, at('pool'))).toEqual(success(at(dir)));
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ version: 1, pool: id });
    const before = statSync(file()).ino;
    expect(beginPart(dir, at('pool'))).toEqual(success(at(dir)));
    expect(statSync(file()).ino).toBe(before);
  });

  it.each([
    { name: 'of another pool', value: { pool: newId() } },
    { name: 'in use', value: { pool: id, folder: { inode: '1', born: '0' } } },
  ])('is none where a pool $name is', ({ value }) => {
    lay({ version: 1, ...value });
    const before = readFileSync(file(), 'utf8');
    const message = `${dir} is a pool already, and no part of this one`;
    const want = refused('fleet/keys-part', message, 'move it away: a part goes to where its keys are used');
    expect(beginPart(dir, at('pool'))).toEqual(want);
    expect(readFileSync(file(), 'utf8')).toBe(before);
  });
});

it('a copy is adopted with its name', () => {
  const pool = soundValue(beginPool(dir));
  const copy = `${dir}-2`;
  cpSync(dir, copy, { recursive: true });
  expect(soundValue(adoptPool(copy))).toEqual({ ...at(copy), id: pool.id });
  expect(seePool(copy)).toEqual(success({ ...at(copy), id: pool.id }));
});

describe('no pool', () => {
  const all = (): readonly Result<PoolFolder>[] => [openPool(dir), seePool(dir), adoptPool(dir)];

  it('is where nothing is', () => {
    const hint = 'draw keys by `sno-install fleet keys --fill`';
    const want = refused('fleet/keys-missing', `there is no pool of keys in ${dir}`, hint);
    expect(all()).toEqual([want, want, want]);
  });

  test.each([
    { name: 'no JSON', value: 'text', reason: 'it is no JSON' },
    ...[
      { name: 'no object', value: [] },
      { name: 'no name', value: {} },
      { name: 'another name', value: { pool: 'F'.repeat(32) } },
      { name: 'a folder that is none', value: { pool: id, folder: 'x' } },
      { name: 'a folder without a time', value: { pool: id, folder: { inode: '1' } } },
      { name: 'a folder without a number', value: { pool: id, folder: { born: '1' } } },
    ].map((each) => ({ ...each, reason: 'it is not as fleet keys wrote it' })),
    { name: 'a text without end', value: ' '.repeat(64 * 1024 + 1), reason: 'it is larger than 65536 bytes' },
  ])('can be used whose file is $name', ({ value, reason }) => {
    lay(value);
    const hint = 'restore it from a copy; without it nobody can tell which pool this is';
    const want = refused('fleet/keys-unreadable', `${file()} cannot be used: ${reason}`, hint);
    expect([...all(), beginPool(dir), beginPart(dir, at(dir))]).toEqual([want, want, want, want, want]);
  });
});
