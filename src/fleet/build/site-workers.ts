import type { Workers } from '../threads/in-order.js';
import { threads } from '../threads/workers.js';
import type { SiteRow } from '../table/site-table.js';
import type { SiteResult } from './build-site.js';
import type { SiteOptions } from './site-options.js';

export type SiteWorkers = Pick<Workers<SiteRow, SiteResult>, 'run' | 'close'>;

/** Starts at most `jobs` threads that create sites with `siteBuilder`. */
export function siteWorkers(order: SiteOptions, jobs: number): SiteWorkers {
  return threads({ task: 'make', order }, jobs);
}
