import { cpSync, readFileSync, readdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, it, test } from 'vitest';

import { contentsOf } from '../../../src/disk/keypool/pool-contents.js';
import type { PoolFolder } from '../../../src/disk/keypool/pool-folder.js';
import { keyPool } from '../../../src/effects/keys/pooled-chance.js';
import { ageKeys } from '../../support/age-keys.js';
import { addKit, chanceOf, freeIn, keysOf, madePool, needFor, opening } from '../../support/made-kits.js';
import { scratchFolder } from '../../support/scratch.js';

const names = ['a', 'b', 'c'];
const need = needFor(names);

/** Every file below a folder. */
function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The file of the one kit that nobody has. */
function freeFile(pool: PoolFolder): string {
  const [file = '', ...others] = filesBelow(pool.free).filter((path) => path.endsWith('.age'));
  expect(others).toEqual([]);
  return file;
}

const unusable = (reason: string): readonly string[] => [
  `fleet/keys-unusable: keys that north-1 took cannot be used: ${reason}`,
];

describe('a pool of keys', () => {
  it('gives each kit to one site, label by label, and other keys when it is empty', async () => {
    const pool = madePool(scratchFolder());
    const kits = [await addKit(pool, need), await addKit(pool, need)];
    const sites = await Promise.all(['north-1', 'north-2', 'north-3'].map((site) => chanceOf(pool, site)));

    const taken = await Promise.all(sites.map((site) => keysOf(site, names)));

    expect(taken.filter((keys) => Object.values(keys).includes('drawn'))).toEqual([
      Object.fromEntries(need.labels.map((label) => [label, 'drawn'])),
    ]);
    for (const { keys } of kits) expect(taken).toContainEqual(keys);
    expect(sites.map((site) => site.counts()).filter(({ pooled }) => pooled === 3)).toHaveLength(2);
    expect(sites.flatMap((site) => site.problems())).toEqual([]);
  });

  it('gives a site that was killed the same keys, in whatever order it asks', async () => {
    const pool = madePool(scratchFolder());
    for (let kits = 0; kits < 4; kits += 1) await addKit(pool, need);
    const first = await chanceOf(pool, 'north-1');
    const began = await keysOf(first, ['b']);
    const others = await keysOf(await chanceOf(pool, 'north-2'), names);

    const again = await keysOf(await chanceOf(pool, 'north-1'), ['c', 'b', 'a']);

    expect(again).toMatchObject(began);
    expect(new Set([...Object.values(again), ...Object.values(others)]).size).toBe(6);
    expect(freeIn(pool)).toBe(2);
  });

  it('takes the kit that fits best, and a second one for what the first lacks', async () => {
    const pool = madePool(scratchFolder());
    const few = await addKit(pool, needFor(['a']));
    const many = await addKit(pool, needFor(['a', 'b', 'c', 'd']));
    await addKit(pool, needFor(['a', 'b'], true));

    const site = await chanceOf(pool, 'north-1');
    const one = await keysOf(site, ['a']);
    const both = await keysOf(site, ['a', 'd']);
    const repeated = await keysOf(await chanceOf(pool, 'north-1'), ['d', 'a', 'e']);

    expect(one).toEqual(few.keys);
    expect(both).toEqual({ ...few.keys, 'key/rsa-2048/d': many.keys['key/rsa-2048/d'] });
    expect(repeated).toEqual({ ...both, 'key/rsa-2048/e': 'drawn' });
    expect(freeIn(pool)).toBe(1);
  });

  it('gives a site in FIPS mode what OpenSSL made as a whole, and nothing else', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    const approved = await addKit(pool, needFor(names, true));

    expect(await keysOf(await chanceOf(pool, 'north-1', true), names)).toEqual(approved.keys);
    expect(await keysOf(await chanceOf(pool, 'north-2', true), ['a'])).toEqual({ 'key/rsa-2048/a': 'drawn' });
    expect(freeIn(pool)).toBe(1);
  });

  test.each([true, false])(
    'gives no keys that were taken before FIPS mode was switched (to %s)',
    async (isFips) => {
      const pool = madePool(scratchFolder());
      const [fitting, unfit] = [
        await addKit(pool, needFor(names, isFips)),
        await addKit(pool, needFor(names, !isFips)),
      ];
      expect(await keysOf(await chanceOf(pool, 'north-1', !isFips), names)).toEqual(unfit.keys);

      const site = await chanceOf(pool, 'north-1', isFips);

      expect(await keysOf(site, names)).toEqual(fitting.keys);
      expect(site.problems().map(({ code, message }) => `${code}: ${message}`)).toEqual(
        unusable('FIPS mode was switched since they were taken'),
      );
      expect(contentsOf(pool)).toMatchObject({ refused: 1, taking: ['north-1'] });
    },
  );

  it('erases what a site took, and says that it gave it', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    const site = await chanceOf(pool, 'north-1');
    const { 'key/rsa-2048/a': key = '' } = await keysOf(site, ['a']);
    expect(contentsOf(pool)).toMatchObject({ taking: ['north-1'], given: 1 });

    site.erase();

    expect(contentsOf(pool)).toMatchObject({ free: [{ ids: [] }], taking: [], given: 1, refused: 0 });
    expect([...contentsOf(pool).served]).toEqual(['north-1']);
    expect(filesBelow(pool.path).filter((path) => path.endsWith('.age'))).toEqual([]);
    expect(key).toContain('PRIVATE KEY');
  });

  it('holds nothing plain, however far a site came', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    await addKit(pool, need);
    await keysOf(await chanceOf(pool, 'north-1'), names);

    const plain = filesBelow(pool.path).filter((path) => readFileSync(path, 'utf8').includes('PRIVATE KEY'));
    expect(plain).toEqual([]);
  });
});

describe('what is not as it was filled', () => {
  test.each([
    {
      name: 'a file that was cut',
      change: (file: string) => {
        truncateSync(file, 900);
      },
      reason: 'their file is damaged',
    },
    {
      name: 'a file that is no kit',
      change: (file: string) => {
        writeFileSync(file, 'nothing');
      },
      reason: 'their file is damaged',
    },
    {
      name: 'a kit under the name of another',
      change: (file: string) => {
        const other = file.replace(/[0-9a-f](?=\.age$)/, (digit) => (digit === '0' ? '1' : '0'));
        renameSync(file, other);
      },
      reason: 'their file is one of another pool or has another name',
    },
  ])('$name is set aside with a warning, and another kit taken', async ({ change, reason }) => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    change(freeFile(pool));
    const site = await chanceOf(pool, 'north-1');
    const sound = await addKit(pool, need);

    expect(await keysOf(site, names)).toEqual(sound.keys);
    expect(site.problems().map(({ code, message }) => `${code}: ${message}`)).toEqual(unusable(reason));
    expect(contentsOf(pool)).toMatchObject({ refused: 1, taking: ['north-1'] });
  });

  it('a kit of another pool is set aside', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need, { pool: '0'.repeat(32) });
    const site = await chanceOf(pool, 'north-1');

    expect(Object.values(await keysOf(site, names))).toEqual(['drawn', 'drawn', 'drawn']);
    expect(site.problems().map(({ message }) => message)).toEqual([
      'keys that north-1 took cannot be used: their file is one of another pool or has another name',
    ]);
  });

  it('a kit that a backup brought back is given to no other site, and not again once it was erased', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    const file = dirname(freeFile(pool));
    const copy = join(scratchFolder(), 'copy');
    cpSync(file, copy, { recursive: true });
    const first = await chanceOf(pool, 'north-1');
    const keys = await keysOf(first, names);

    cpSync(copy, file, { recursive: true });
    const other = await chanceOf(pool, 'north-2');
    expect(Object.values(await keysOf(other, names))).toEqual(['drawn', 'drawn', 'drawn']);
    expect(other.problems().map(({ message }) => message)).toEqual([
      'keys that north-2 took cannot be used: they were given before: a copy of them was brought back',
    ]);
    expect(await keysOf(await chanceOf(pool, 'north-1'), names)).toEqual(keys);

    first.erase();
    cpSync(copy, file, { recursive: true });
    const anew = await chanceOf(pool, 'north-1');
    expect(Object.values(await keysOf(anew, names))).toEqual(['drawn', 'drawn', 'drawn']);
    expect([freeIn(pool), contentsOf(pool).taking]).toEqual([0, []]);
  });

  it('a key that is none is drawn anew', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, needFor(['a']), { keys: { 'key/rsa-2048/a': 'no key' } });
    const site = await chanceOf(pool, 'north-1');

    expect(await keysOf(site, ['a'])).toEqual({ 'key/rsa-2048/a': 'drawn' });
    expect(site.problems().map(({ message }) => message)).toEqual([
      'a key that north-1 took cannot be used: it is no private key in PEM',
    ]);
  });

  it('a pool that went away is one warning', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need);
    const site = await chanceOf(pool, 'north-1');
    rmSync(pool.path, { recursive: true });
    writeFileSync(pool.path, '');

    expect(Object.values(await keysOf(site, names))).toEqual(['drawn', 'drawn', 'drawn']);
    expect(site.problems().map(({ message }) => message)).toEqual([
      'the pool cannot be used: a part of its path is a file, not a folder',
    ]);
  });

  it('a pool that no identity opens is not taken from', async () => {
    const pool = madePool(scratchFolder());
    await addKit(pool, need, { recipient: ageKeys.others.recipient });

    expect(await keyPool(pool, opening)).toBe(undefined);
    expect(freeIn(pool)).toBe(1);
  });
});
