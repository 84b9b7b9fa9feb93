import { join } from 'node:path';

import { inspectSiteFolder } from '../../disk/site-record/site-folder.js';
import type { LoadedFleet } from '../table/check-fleet.js';
import { type FleetRun, type FleetResult, buildFleet } from './build-fleet.js';
import type { SiteOptions } from './site-options.js';
import { type SiteWorkers, siteWorkers } from './site-workers.js';

export interface SitesToGenerate {
  readonly opened: LoadedFleet;
  readonly order: SiteOptions;
  /** Threads. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Whether no further site is started after the first failure. */
  readonly failFast: boolean;
  /** Called with the outcome of each site. */
  readonly onSite: (outcome: string) => void;
  /** Options for sites that are not stored in folders: source, destination, and number of sites in progress. */
  readonly elsewhere?: (pool: SiteWorkers) => Partial<FleetRun> & Pick<FleetRun, 'pool'>;
}

/** Generates sites in threads. */
export async function generateSites({
  opened,
  order,
  jobs,
  stop,
  failFast,
  onSite,
  elsewhere,
}: SitesToGenerate): Promise<FleetResult> {
  const generatesKeysInThreads = hasNewSites(order, opened.rows, Math.min(jobs, libuvThreads));
  const pool = siteWorkers({ ...order, generatesKeysInThreads }, jobs);
  const given = { opened, order, pool, jobs, failFast, stop, onSite };
  try {
    // A thread checks whether the ISO of a site is up to date.
    const knownBefore = (): Promise<undefined> => Promise.resolve(undefined);
    return await buildFleet({ ...given, ...(order.iso && { knownBefore }), ...elsewhere?.(pool) });
  } finally {
    await pool.close();
  }
}

/** Default size of the libuv thread pool, in which Node.js generates keys. Source: docs.libuv.org/en/v1.x/threadpool.html */
const libuvThreads = 4;

/** Whether at least `least` sites have no keys. Stops counting at that number. */
export function hasNewSites(
  { dir, outputs }: Pick<SiteOptions, 'dir' | 'outputs'>,
  sites: Iterable<{ readonly name: string }>,
  least: number,
): boolean {
  let found = 0;
  for (const { name } of sites) {
    if (found >= least) break;
    if (!inspectSiteFolder(join(dir, outputs, name)).hasState) found += 1;
  }
  return found >= least;
}
