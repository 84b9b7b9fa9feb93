import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { failure, success } from '../../../src/core/result.js';
import { holderOf } from '../../../src/disk/keypool/given-notes.js';
import { contentsOf, inPool, takingIn } from '../../../src/disk/keypool/pool-contents.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { addKit, madePool, needFor } from '../../support/made-kits.js';
import { systemError } from '../../support/other-system.js';
import { scratchFolder } from '../../support/scratch.js';

let pool: PoolFolder;
beforeEach(() => {
  pool = madePool(scratchFolder());
});

describe('what lies in a pool', () => {
  it('is nothing at first', () => {
    expect(contentsOf(pool)).toEqual({ free: [], taking: [], served: new Set(), given: 0, refused: 0 });
  });

  it('is what nobody has, what is taken, what was given and what is refused', async () => {
    const need = needFor(['a']);
    const { id } = await addKit(pool, need);
    for (const path of ['south-1/1', 'north-1/1', 'north-1/2', 'made'])
      mkdirSync(join(pool.taken, path), { recursive: true });
    for (const [kit, site] of [
      ['one', 'north-1'],
      ['two', 'west-1'],
      ['three', 'west-1'],
    ] as const)
      holderOf(pool, kit, site);
    for (const kit of ['x', 'y']) mkdirSync(join(pool.refused, kit), { recursive: true });
    const taking = ['north-1', 'south-1'];
    expect(contentsOf(pool)).toEqual({
      free: [{ need, ids: [id] }],
      taking,
      served: new Set([...taking, 'west-1']),
      given: 3,
      refused: 2,
    });
    expect(takingIn(pool)).toEqual(taking);
  });

  it('is not taken by what is no folder', () => {
    mkdirSync(pool.taken);
    writeFileSync(join(pool.taken, 'file'), '');
    expect(takingIn(pool)).toEqual([]);
  });
});

describe('work in a pool', () => {
  it('gives what comes of it', async () => {
    const problems = failure({ code: 'fleet/keys-copied', severity: 'error', message: 'm' });
    expect(await inPool('keys', () => success(1))).toEqual(success(1));
    expect(await inPool('keys', () => Promise.resolve(problems))).toEqual(problems);
  });

  it('gives errors of the system as problems', async () => {
    const message = 'the pool keys cannot be used: permission denied';
    const hint = 'give permission to read and write in all of it';
    const want = failure({ code: 'fleet/keys-unreadable', severity: 'error', message, hint });
    const works = [
      () => Promise.reject(systemError('EACCES')),
      () => {
        throw systemError('EACCES');
      },
    ];
    for (const work of works) expect(await inPool('keys', work)).toEqual(want);
  });

  it('passes on what is wrong in the program', async () => {
    await expect(inPool('keys', () => Promise.reject(new Error('internal error: x')))).rejects.toThrow(
      'internal error: x',
    );
  });
});
