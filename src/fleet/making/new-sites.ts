import { join } from 'node:path';

import { lookIntoSite } from '../../disk/site-record/site-folder.js';
import type { SiteOrder } from './site-order.js';

/** Whether at least so many sites have no keys in their folders of outputs yet; looks no further than it has to. */
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
