import { randomInt } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { problem, type Problem } from '../../core/problem.js';
import { reasonOf } from '../../disk/file-system-problem.js';
import { claimKit, freeKits, opensKits, type FreeKits } from '../../disk/keypool/free-kits.js';
import type { KeyKit, KeyNeed } from '../../disk/keypool/key-kit.js';
import type { PoolFolder } from '../../disk/keypool/pool-folder.js';
import { eraseKit, eraseTaken, openTaken, refuseKit, type KitFault } from '../../disk/keypool/taken-kits.js';
import type { AgeKeys } from '../../formats/age.js';
import type { ChanceSource } from '../draws.js';
import { asks } from '../kept-draws.js';

/** A pool that sites of one run take keys from. */
export interface KeyPool {
  readonly folder: PoolFolder;
  readonly keys: AgeKeys;
  /** Kits that nobody had when they were last looked for. */
  free: readonly Choice[];
}

/** As `FreeKits`; each name is tried once. */
interface Choice {
  readonly need: KeyNeed;
  readonly ids: string[];
}

/** A pool in hand; undefined when the keys do not open what is in it. Throws system errors. */
export async function keyPool(folder: PoolFolder, keys: AgeKeys): Promise<KeyPool | undefined> {
  const free = freeKits(folder);
  return (await opensKits(folder, free, keys)) ? { folder, keys, free: free.map(shuffled) } : undefined;
}

/** Chance of one site, whose RSA keys come from a pool as long as that has some. */
export interface PooledChance {
  readonly source: ChanceSource;
  /** How many RSA keys came from the pool, and how many it did not have. */
  readonly counts: () => { readonly pooled: number; readonly drawn: number };
  /** Warnings: fleet/keys-unusable. */
  readonly problems: () => readonly Problem[];
  /** Erases what was taken: once the site's state is on the disk. Throws system errors. */
  readonly erase: () => void;
}

/**
 * Chance that takes a site's RSA keys from a pool, and all else from `chance`. A kit is the site's, on the disk, before one of its keys is
 * given; a run that was killed and is repeated gets the same keys for the same labels, and so does one of the same site elsewhere.
 */
export function pooledChance(
  pool: KeyPool,
  site: string,
  { chance, isApproved }: { readonly chance: ChanceSource; readonly isApproved: boolean },
): PooledChance {
  const kits: KeyKit[] = [];
  const problems: Problem[] = [];
  const counts = { pooled: 0, drawn: 0 };
  const wanted = new Set<string>();
  /** What no kit has. */
  const absent = new Set<string>();
  let isBroken = false;
  let turn: Promise<void> = Promise.resolve();

  const inKits = (label: string): string | undefined =>
    kits.find(({ keys }) => keys[label] !== undefined)?.keys[label];
  const lacking = (): readonly string[] => [...wanted].filter((label) => inKits(label) === undefined);
  const unusable = (message: string): void => {
    problems.push(problem('fleet/keys-unusable', message));
  };
  const nextKit = async (): Promise<boolean> => {
    const place = { site, number: kits.length + 1 };
    const opened = await openTaken(pool.folder, place, pool.keys);
    if (opened === undefined) return claimBest(pool, { labels: lacking(), isApproved }, place);
    if ('kit' in opened && opened.kit.isApproved === isApproved) {
      kits.push(opened.kit);
      return true;
    }
    const { id, fault } = 'kit' in opened ? { id: opened.kit.id, fault: 'mode' as const } : opened;
    if (fault === 'erased') {
      eraseKit(pool.folder, place);
      return true;
    }
    unusable(`keys that ${site} took cannot be used: ${reasons[fault]}`);
    if (fault === 'no-key') return false;
    refuseKit(pool.folder, place, id);
    return true;
  };
  const fetch = async (label: string): Promise<void> => {
    const isOpen = (): boolean => !isBroken && !absent.has(label) && inKits(label) === undefined;
    if (!isOpen()) return;
    // What is asked for side by side is known by then: kits are chosen by all of it.
    await nextTurn();
    try {
      while (isOpen()) if (!(await nextKit())) for (const each of lacking()) absent.add(each);
    } catch (error) {
      isBroken = true;
      unusable(`the pool cannot be used: ${reasonOf(error)}`);
    }
  };
  return {
    source: {
      ...chance,
      rsaKey: async (name, bits) => {
        const { label, read } = asks.rsaKey(name, bits);
        wanted.add(label);
        turn = turn.then(() => fetch(label));
        await turn;
        const pem = inKits(label);
        const reading = pem === undefined ? undefined : read(pem);
        const fault = reading !== undefined && 'fault' in reading ? reading.fault : undefined;
        if (fault !== undefined) unusable(`a key that ${site} took cannot be used: ${fault}`);
        counts[pem === undefined || fault !== undefined ? 'drawn' : 'pooled'] += 1;
        return pem === undefined || fault !== undefined ? chance.rsaKey(name, bits) : pem;
      },
    },
    counts: () => counts,
    problems: () => problems,
    erase: () => {
      eraseTaken(pool.folder, site);
    },
  };
}

const reasons: Readonly<Record<Exclude<KitFault, 'erased'> | 'mode', string>> = {
  'no-key': 'no identity opens them',
  damaged: 'their file is damaged',
  foreign: 'their file is one of another pool or has another name',
  given: 'they were given before: a copy of them was brought back',
  /** A run that was killed took them, and the site has changed since. */
  mode: 'FIPS mode was switched since they were taken',
};

/** Claims the kit that has most of what is wanted, and least of what is not; false when none has any. Throws system errors. */
function claimBest(
  pool: KeyPool,
  { labels, isApproved }: KeyNeed,
  place: { readonly site: string; readonly number: number },
): boolean {
  for (const isFresh of [false, true]) {
    if (isFresh) pool.free = freeKits(pool.folder).map(shuffled);
    for (const { need, ids } of byFit(pool.free, { labels, isApproved })) {
      for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
        if (claimKit(pool.folder, { need, id }, place) !== 'gone') return true;
      }
    }
  }
  return false;
}

function byFit(free: readonly Choice[], { labels, isApproved }: KeyNeed): readonly Choice[] {
  const wanted = new Set(labels);
  const covered = ({ need }: Choice): number => need.labels.filter((label) => wanted.has(label)).length;
  return free
    .filter((each) => each.need.isApproved === isApproved && covered(each) > 0)
    .sort((one, other) => covered(other) - covered(one) || one.need.labels.length - other.need.labels.length);
}

/** Runs that take at the same time begin at different ends of what there is. */
function shuffled({ need, ids }: FreeKits): Choice {
  const places = ids.map((id) => ({ id, at: randomInt(2 ** 32) })).sort((one, other) => one.at - other.at);
  return { need, ids: places.map(({ id }) => id) };
}
