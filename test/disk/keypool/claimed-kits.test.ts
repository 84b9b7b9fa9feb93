import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { success } from '../../../src/core/result.js';
import { claimKit, freeKits, putKit } from '../../../src/disk/keypool/free-kits.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { madePool, needFor } from '../../support/made-kits.js';
import { callsAre, systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

const need = needFor(['a']);
const ids = ['0', '1'].map((digit) => digit.repeat(32));
const [id = ''] = ids;
const taking = { site: 'north-1', number: 1 };

let pool: PoolFolder;

/** Puts a kit into the pool, of which nothing is opened. */
function put(name = id): void {
  expect(putKit(pool, need, { id: name, sealed: `kit ${name}` })).toEqual(success(undefined));
}

describe('a kit that a site takes', () => {
  const takenAt = (number: number): string => join(pool.taken, 'north-1', String(number), `${id}.age`);
  beforeEach(() => {
    pool = madePool(scratchFolder());
    put();
  });

  it('is its own by a number, and that of nobody no longer', () => {
    expect(claimKit(pool, { need, id }, { ...taking, number: 2 })).toBe('claimed');
    expect(readFileSync(takenAt(2), 'utf8')).toBe(`kit ${id}`);
    expect(freeKits(pool)).toEqual([{ need, ids: [] }]);
  });

  it('is not taken where the site has one of that number', () => {
    put(ids[1]);
    claimKit(pool, { need, id }, taking);
    expect(claimKit(pool, { need, id: ids[1] ?? '' }, taking)).toBe('there');
    expect(freeKits(pool)).toEqual([{ need, ids: [ids[1]] }]);
  });

  it('is gone where another site has it', () => {
    claimKit(pool, { need, id }, { ...taking, site: 'south-1' });
    expect(claimKit(pool, { need, id }, taking)).toBe('gone');
  });

  it('is there where the answer to its move was lost', () => {
    callsAre(({ renameSync: move }) => ({
      renameSync: (from, to) => {
        move(from, to);
        throw systemError('ENOENT');
      },
    }));
    expect(claimKit(pool, { need, id }, taking)).toBe('there');
    expect(existsSync(takenAt(1))).toBe(true);
  });

  it('is taken although the folder of the site goes at that moment', () => {
    let moves = 0;
    callsAre(({ renameSync: move }) => ({
      renameSync: (from, to) => {
        moves += 1;
        if (moves === 1) rmSync(join(pool.taken, 'north-1'), { recursive: true });
        move(from, to);
      },
    }));
    expect(claimKit(pool, { need, id }, taking)).toBe('claimed');
    expect([moves, existsSync(takenAt(1))]).toEqual([2, true]);
  });
});
