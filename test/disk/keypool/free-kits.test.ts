import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { claimKit, freeKits, moveKit, opensKits, putKit } from '../../../src/disk/keypool/free-kits.js';
import { needName, needText } from '../../../src/disk/keypool/key-kit.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { ageKeys } from '../../support/age-keys.js';
import { addKit, madePool, needFor, opening } from '../../support/made-kits.js';
import { callsAre, failing } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const need = needFor(['a']);
const folder = needName(need);
const ids = ['0', '1', '2'].map((digit) => digit.repeat(32));
const [id = ''] = ids;

let pool: PoolFolder;
beforeEach(() => {
  pool = madePool(scratchFolder());
});

/** Puts a kit into the pool, of which nothing is opened. */
function put(name = id, of = need): void {
  expect(putKit(pool, of, { id: name, sealed: `kit ${name}` })).toEqual(success(undefined));
}

function unwritable(message: string): object {
  return failure({ code: 'dir/not-writable', severity: 'error', message });
}

describe('kits of nobody', () => {
  it('lie by what is in them, each in a folder of its own for its owner alone', () => {
    put();
    const paths = [join(pool.free, folder, 'need.json'), join(pool.free, folder, id, `${id}.age`)];
    expect(paths.map((path) => [readFileSync(path, 'utf8'), statSync(path).mode & 0o777])).toEqual([
      [needText(need), 0o600],
      [`kit ${id}`, 0o600],
    ]);
    expect(readdirSync(pool.drafts)).toEqual([]);
  });

  it('are told in order', () => {
    const other = needFor(['a', 'b'], true);
    for (const name of ids.toReversed()) put(name);
    put(id, other);
    const want = [
      { need, ids },
      { need: other, ids: [id] },
    ];
    const byName = want.toSorted((left, right) => (needName(left.need) < needName(right.need) ? -1 : 1));
    expect(freeKits(pool)).toEqual(byName);
  });

  it('are those of a need that is as it was written, and whose names are names of kits', () => {
    put();
    for (const name of ['broken', 'other', 'empty']) mkdirSync(join(pool.free, name));
    writeFileSync(join(pool.free, 'broken/need.json'), 'text');
    writeFileSync(join(pool.free, 'other/need.json'), needText(need));
    mkdirSync(join(pool.free, folder, 'no-kit'));
    expect(freeKits(pool)).toEqual([{ need, ids: [id] }]);
  });

  it('are put beside a need that is there, which stays as it is', () => {
    put();
    const path = join(pool.free, folder, 'need.json');
    const before = statSync(path).ino;
    put(ids[1]);
    expect(statSync(path).ino).toBe(before);
    writeFileSync(path, 'text');
    put(ids[2]);
    expect(readFileSync(path, 'utf8')).toBe(needText(need));
  });

  it('have names that nothing else has', () => {
    put();
    const found = { ok: false, problems: [{ code: 'dir/not-writable' }] };
    expect(putKit(pool, need, { id, sealed: 'another' })).toMatchObject(found);
    expect(readFileSync(join(pool.free, folder, id, `${id}.age`), 'utf8')).toBe(`kit ${id}`);
  });

  it('cannot be put where nothing can be made', () => {
    callsAre(() => ({ mkdirSync: failing('EROFS') }));
    const message = `cannot write in ${pool.path}: the file system is read-only`;
    expect(putKit(pool, need, { id, sealed: 'kit' })).toEqual(unwritable(message));
  });

  it('cannot be put where their need cannot be said', () => {
    callsAre(() => ({ openSync: failing('ENOSPC'), writeFileSync: failing('ENOSPC') }));
    const found = { ok: false, problems: [{ code: 'dir/not-writable' }] };
    expect(putKit(pool, need, { id, sealed: 'kit' })).toMatchObject(found);
    expect(existsSync(pool.drafts)).toBe(false);
  });
});

describe('a kit of nobody that moves to a part', () => {
  let part: PoolFolder;
  beforeEach(() => {
    part = madePool(scratchFolder());
    put();
  });

  it('is there and no longer here', () => {
    expect(moveKit(pool, part, { need, id })).toEqual(success(true));
    expect([freeKits(pool), freeKits(part)]).toEqual([[{ need, ids: [] }], [{ need, ids: [id] }]]);
    expect(moveKit(pool, part, { need, id })).toEqual(success(false));
  });

  it('may be taken meanwhile', () => {
    claimKit(pool, { need, id }, { site: 'north-1', number: 1 });
    expect(moveKit(pool, part, { need, id })).toEqual(success(false));
    expect(freeKits(part)).toEqual([{ need, ids: [] }]);
  });

  it('stays where it cannot be moved', () => {
    callsAre(() => ({ mkdirSync: failing('EROFS') }));
    const message = `cannot move keys to ${part.path}: the file system is read-only`;
    expect(moveKit(pool, part, { need, id })).toEqual(unwritable(message));
    expect(freeKits(pool)).toEqual([{ need, ids: [id] }]);
  });

  it('stays where its need cannot be said', () => {
    callsAre(() => ({ openSync: failing('ENOSPC'), writeFileSync: failing('ENOSPC') }));
    expect(moveKit(pool, part, { need, id })).toMatchObject({
      ok: false,
      problems: [{ code: 'dir/not-writable' }],
    });
  });
});

describe('keys open kits of nobody', () => {
  const others = { identities: [ageKeys.others.identity], passphrases: [] };

  it('where they open one of each need, or none is there', async () => {
    expect(await opensKits(pool, [], others)).toBe(true);
    const kit = await addKit(pool, need);
    await addKit(pool, needFor(['b']), { recipient: ageKeys.others.recipient });
    const free = freeKits(pool);
    expect(await Promise.all([opening, others].map((keys) => opensKits(pool, free, keys)))).toEqual([
      false,
      false,
    ]);
    const own = free.filter((each) => each.ids.includes(kit.id));
    expect(await Promise.all([opening, others].map((keys) => opensKits(pool, own, keys)))).toEqual([
      true,
      false,
    ]);
    expect(freeKits(pool)).toEqual(free);
  });

  it('where a need has none any more, or its kit is damaged', async () => {
    put();
    const gone = [{ need: needFor(['c']), ids: [] }];
    await addKit(pool, needFor(['b']), { recipient: ageKeys.others.recipient });
    const closed = freeKits(pool).filter((each) => !each.ids.includes(id));
    const damaged = freeKits(pool).filter((each) => each.ids.includes(id));
    expect(await opensKits(pool, [...gone, ...damaged], opening)).toBe(true);
    expect(await opensKits(pool, [...gone, ...closed], opening)).toBe(false);
  });
});
