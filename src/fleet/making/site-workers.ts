import { threads, type Workers } from '../../run/threads/workers.js';
import type { SiteRow } from '../site-table.js';
import type { SiteResult } from './make-site.js';
import type { SiteOrder } from './site-order.js';

export type SiteWorkers = Pick<Workers<SiteRow, SiteResult>, 'run' | 'close'>;

/** Starts at most `jobs` threads that create sites with `siteMaker`. */
export function siteWorkers(order: SiteOrder, jobs: number): SiteWorkers {
  return threads({ task: 'make', order }, jobs);
}
