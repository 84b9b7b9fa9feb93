import { join } from 'node:path';

import type { GlobalOptions } from '../options.js';
import { fleetProgress } from '../progress.js';
import { lookIntoSite } from '../../disk/site-record/site-folder.js';
import type { CreateFleetOptions } from './fleet-options.js';
import type { ReadFleet } from '../../fleet/judge-fleet.js';
import { type FleetMaking, type MadeFleet, makeFleet } from '../../fleet/making/make-fleet.js';
import type { SiteOrder } from '../../fleet/making/site-order.js';
import { type SiteWorkers, siteWorkers } from '../../fleet/making/site-workers.js';

export interface SitesToMake {
  readonly opened: ReadFleet;
  readonly order: SiteOrder;
  /** Threads. */
  readonly jobs: number;
  readonly stop: AbortSignal;
  /** Options for sites that are not stored in folders: source, destination, and number of sites in progress. */
  readonly elsewhere?: (pool: SiteWorkers) => Partial<FleetMaking> & Pick<FleetMaking, 'pool'>;
}

/** Generates sites in threads and shows the progress. */
export async function makeSites(
  options: GlobalOptions & CreateFleetOptions,
  { opened, order, jobs, stop, elsewhere }: SitesToMake,
): Promise<MadeFleet> {
  const drawsInThreads = hasNewSites(order, opened.rows, Math.min(jobs, libuvThreads));
  const pool = siteWorkers({ ...order, drawsInThreads }, jobs);
  const progress = fleetProgress(options, opened.rows.length);
  stop.addEventListener('abort', progress.onStop);
  const failFast = options.failFast === true;
  const given = { opened, order, pool, jobs, failFast, stop, onSite: progress.onSite };
  try {
    return await makeFleet({ ...given, ...elsewhere?.(pool) });
  } finally {
    progress.done();
    await pool.close();
  }
}

/** Default size of the libuv thread pool, in which Node.js generates keys. Source: docs.libuv.org/en/v1.x/threadpool.html */
const libuvThreads = 4;

/** Whether at least `least` sites have no keys. Stops counting at that number. */
export function hasNewSites(
  { dir, outputs }: Pick<SiteOrder, 'dir' | 'outputs'>,
  sites: Iterable<{ readonly name: string }>,
  least: number,
): boolean {
  let found = 0;
  for (const { name } of sites) {
    if (found >= least) break;
    if (!lookIntoSite(join(dir, outputs, name)).hasState) found += 1;
  }
  return found >= least;
}
