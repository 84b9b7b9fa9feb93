import { problem, type Problem } from '../../core/problem.js';
import { reasonOf } from '../../disk/file-system-problem.js';
import { openPool } from '../../disk/keypool/pool-folder.js';
import { eraseTaken } from '../../disk/keypool/taken-kits.js';
import { chanceFor } from '../../effects/draws.js';
import { chanceOfThread } from '../../effects/keys/chance-of-thread.js';
import { keyPool, pooledChance, type KeyPool, type PooledChance } from '../../effects/keys/pooled-chance.js';
import type { AgeKeys } from '../../formats/age.js';
import type { RunRequest } from '../../run.js';
import type { SiteOrder } from '../making/site-order.js';

/** Where the keys of a site that is being made come from. */
export interface SiteKeys {
  readonly chance: NonNullable<RunRequest['chance']>;
  /** To be called when the run is over: what the site took is erased when it is made. Warnings: fleet/keys-unusable. */
  readonly end: (isMade: boolean) => readonly Problem[];
}

/** Keys of sites that are made one after the other, from the pool in a folder; all drawn where there is none. */
export function siteKeys({
  keyPool: path,
  keys,
  drawsInThreads = false,
}: Pick<SiteOrder, 'keyPool' | 'keys' | 'drawsInThreads'>): (site: string) => Promise<SiteKeys> {
  const drawn = drawsInThreads ? chanceOfThread : chanceFor;
  let opened: Promise<KeyPool | undefined> | undefined;
  return async (site) => {
    const pool = path === undefined ? undefined : await (opened ??= inHand(path, keys));
    if (pool === undefined) return { chance: drawn, end: () => [] };
    let taken: PooledChance | undefined;
    return {
      chance: (settings) => {
        taken = pooledChance(pool, site, { chance: drawn(settings), isApproved: settings.isFips });
        return taken.source;
      },
      end: (isMade) => [...(taken?.problems() ?? []), ...(isMade ? erasedKeys(pool.folder, [site]) : [])],
    };
  };
}

/** Erases what sites took that are made. Warnings: fleet/keys-unusable. */
export function erasedKeys(pool: KeyPool['folder'], sites: readonly string[]): readonly Problem[] {
  return sites.flatMap((site) => {
    try {
      eraseTaken(pool, site);
      return [];
    } catch (error) {
      const message = `keys that ${site} took could not be erased: ${reasonOf(error)}`;
      return [problem('fleet/keys-unusable', message)];
    }
  });
}

/** Whoever starts the threads has opened it before, and told what is wrong with it. */
async function inHand(path: string, keys: AgeKeys): Promise<KeyPool | undefined> {
  const folder = openPool(path);
  return folder.ok ? keyPool(folder.value, keys) : undefined;
}
