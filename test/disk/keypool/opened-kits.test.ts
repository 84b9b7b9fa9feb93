import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it } from 'vitest';

import { claimKit, freeKits } from '../../../src/disk/keypool/free-kits.js';
import { givenKits, holderOf } from '../../../src/disk/keypool/given-notes.js';
import type { KeyKit } from '../../../src/disk/keypool/key-kit.js';
import { newId, type PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { openTaken, refuseKit } from '../../../src/disk/keypool/taken-kits.js';
import { ageKeys } from '../../support/age-keys.js';
import { addKit, madePool, needFor, opening } from '../../support/made-kits.js';
import { scratchFolder } from '../../support/scratch.js';

const need = needFor(['a']);
const place = { site: 'north-1', number: 1 };

let pool: PoolFolder;
beforeEach(() => {
  pool = madePool(scratchFolder());
});

/** A kit that the site has by a number; what it holds may be another's. */
async function taken(change: Parameters<typeof addKit>[2] = {}, number = 1): Promise<KeyKit> {
  const kit = await addKit(pool, need, change);
  const [id = ''] = freeKits(pool)[0]?.ids ?? [];
  expect(claimKit(pool, { need, id }, { ...place, number })).toBe('claimed');
  return kit;
}

const folder = (number = 1): string => join(pool.taken, 'north-1', String(number));
const nameIn = (): string => readdirSync(folder())[0] ?? '';

describe('a kit of a site', () => {
  it('gives its keys, and is given for good', async () => {
    const kit = await taken();
    expect(await openTaken(pool, place, opening)).toEqual({ kit });
    expect(givenKits(pool)).toEqual(new Map([[kit.id, 'north-1']]));
    expect(await openTaken(pool, place, opening)).toEqual({ kit });
    expect(await openTaken(pool, { ...place, number: 2 }, opening)).toBeUndefined();
  });

  it('gives none to another key, and is not given then', async () => {
    const { id } = await taken({ recipient: ageKeys.others.recipient });
    expect(await openTaken(pool, place, opening)).toEqual({ fault: 'no-key', id });
    expect(givenKits(pool).size).toBe(0);
  });

  it.each(['pool', 'id'] as const)('gives none with another %s in it', async (name) => {
    await taken({ [name]: newId() });
    const id = nameIn().replace('.age', '');
    expect(await openTaken(pool, place, opening)).toEqual({ fault: 'foreign', id });
    expect(givenKits(pool).size).toBe(0);
  });

  it('gives none where it is damaged, or is not there', async () => {
    const { id } = await taken();
    writeFileSync(join(folder(), nameIn()), 'text');
    expect(await openTaken(pool, place, opening)).toEqual({ fault: 'damaged', id });
    rmSync(join(folder(), nameIn()));
    expect(await openTaken(pool, place, opening)).toEqual({ fault: 'damaged', id: undefined });
  });

  it('gives none that another site has, or whose keys were used', async () => {
    const { id } = await taken();
    holderOf(pool, id, 'south-1');
    expect(await openTaken(pool, place, opening)).toEqual({ fault: 'given', id });
    const used = await taken({}, 2);
    await openTaken(pool, { ...place, number: 2 }, opening);
    writeFileSync(join(pool.given, used.id, 'erased'), '');
    expect(await openTaken(pool, { ...place, number: 2 }, opening)).toEqual({ fault: 'erased', id: used.id });
  });
});

describe('a kit that is refused', () => {
  it('lies there with its bytes, and its number is free', async () => {
    const { id } = await taken();
    const bytes = readFileSync(join(folder(), nameIn()));
    refuseKit(pool, place, id);
    const [name = ''] = readdirSync(pool.refused);
    expect(readFileSync(join(pool.refused, name, `${id}.age`))).toEqual(bytes);
    expect(existsSync(folder())).toBe(false);
  });

  it('is not another than the one that was looked at', async () => {
    const { id } = await taken();
    refuseKit(pool, place, newId());
    expect([readdirSync(pool.refused), readdirSync(folder())]).toEqual([[], [`${id}.age`]]);
  });
});
