import { join } from 'node:path';

import { randomRsaPem } from '../../scripts/random-rsa-pem.mjs';
import { freeKits, putKit } from '../../src/disk/keypool/free-kits.js';
import { kitText, type KeyKit, type KeyNeed } from '../../src/disk/keypool/key-kit.js';
import { beginPool, newId, type PoolFolder } from '../../src/disk/keypool/pool-folder.js';
import {
  keyPool,
  pooledChance,
  type KeyPool,
  type PooledChance,
} from '../../src/effects/keys/pooled-chance.js';
import { encryptAge } from '../../src/formats/age.js';
import { ageKeys } from './age-keys.js';
import { seededChance } from './seeded-keys.js';
import { soundValue } from './sound-value.js';

/** What opens the kits of these pools. */
export const opening = { identities: [ageKeys.ours.identity], passphrases: [] };

/** Which keys a kit holds, by the names in its labels. */
export function needFor(names: readonly string[], isApproved = false): KeyNeed {
  return { labels: names.map((name) => `key/rsa-2048/${name}`), isApproved };
}

/** A pool in a folder. */
export function madePool(folder: string): PoolFolder {
  return soundValue(beginPool(join(folder, 'keys')));
}

/** A kit that is put into a pool, changed first. */
export async function addKit(
  pool: PoolFolder,
  need: KeyNeed,
  { recipient = ageKeys.ours.recipient, ...change }: Partial<KeyKit> & { readonly recipient?: string } = {},
): Promise<KeyKit> {
  const keys = Object.fromEntries(need.labels.map((label) => [label, randomRsaPem()]));
  const kit = { pool: pool.id, id: newId(), isApproved: need.isApproved, keys };
  const sealed = await encryptAge(kitText({ ...kit, ...change }), { recipients: [recipient] });
  soundValue(putKit(pool, need, { id: kit.id, sealed }));
  return { ...kit, ...change };
}

/** The pool as a run has it in hand. */
async function inHand(pool: PoolFolder): Promise<KeyPool> {
  const hand = await keyPool(pool, opening);
  if (hand === undefined) throw new Error('the identity opens no kit');
  return hand;
}

/** Chance of a site from a pool, whose drawn keys are none. */
export async function chanceOf(pool: PoolFolder, site: string, isApproved = false): Promise<PooledChance> {
  const chance = { ...seededChance, rsaKey: () => Promise.resolve('drawn') };
  return pooledChance(await inHand(pool), site, { chance, isApproved });
}

/** The keys of a site under some names. */
export async function keysOf(
  { source }: PooledChance,
  names: readonly string[],
): Promise<Readonly<Record<string, string>>> {
  const keys = await Promise.all(
    names.map(async (name) => [`key/rsa-2048/${name}`, await source.rsaKey(name, 2048)] as const),
  );
  return Object.fromEntries(keys);
}

/** How many kits nobody has. */
export function freeIn(pool: PoolFolder): number {
  return freeKits(pool).reduce((sum, { ids }) => sum + ids.length, 0);
}
