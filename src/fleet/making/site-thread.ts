import { workerData } from 'node:worker_threads';

import type { SiteRow } from '../site-table.js';
import { siteMaker, type SiteResult } from './make-site.js';
import type { SiteOrder } from './site-order.js';

// tinypool gives a thread what it was given for it behind something of its own.
const [, order] = workerData as readonly [unknown, SiteOrder];
const make = siteMaker(order);

/** Makes a site in the thread of a pool. */
export function siteThread(row: SiteRow): Promise<SiteResult> {
  return make(row);
}
