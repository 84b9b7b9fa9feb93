import { join, posix } from 'node:path';

import { fipsHostWarnings } from '../../run/fips-host.js';
import { windowWarnings } from '../../run/boot-window.js';
import type { Problem } from '../../core/problem.js';
import { recoverSite } from '../../disk/site-record/site-folder.js';
import type { SiteRecord } from '../../disk/site-record/site-record.js';
import type { Facts } from '../../run/target.js';
import type { SiteFiles } from '../table/site-files.js';
import { atOrigin } from '../table/site-problems.js';
import type { SiteRow } from '../table/site-table.js';
import { factsOf, inOutputFolder, type SiteFacts, type SiteIso } from './build-site.js';
import type { SiteOptions } from './site-options.js';
import { siteFreshness } from './site-freshness.js';

/** Result of a site: created in this run, up to date, failed, or not reached. */
export type SiteOutcome = 'created' | 'unchanged' | 'failed' | 'not-started';

/** Result of a site with its problems. */
export interface PreviousSite {
  readonly outcome: SiteOutcome;
  readonly problems: readonly Problem[];
  readonly facts?: SiteFacts;
  readonly iso?: SiteIso;
  readonly isUpdate?: true;
}

/** Result of a site whose record is up to date; undefined if the site has to be created. */
export async function previousSites(
  order: SiteOptions,
  { name }: SiteRow,
  site: SiteFiles,
): Promise<PreviousSite | undefined> {
  const look = (): ReturnType<typeof siteFreshness> => siteFreshness(order, name, { site, mayRenew: true });
  let freshness = look();
  if (freshness.status === 'stale' && freshness.reason === 'interrupted') {
    const folder = posix.join(order.outputs, name);
    const settled = await recoverSite(join(order.dir, folder), order.command, order.dir);
    if (!settled.ok)
      return { outcome: 'failed', problems: settled.problems.map((each) => inOutputFolder(each, folder)) };
    freshness = look();
  }
  if (freshness.status !== 'current') return undefined;
  const { record } = freshness;
  const problems = [
    ...windowWarnings(windowOf(record), order.present),
    ...fipsHostWarnings(site.inputs, order.isFipsHost).map((each) => atOrigin(each, site)),
    ...record.warnings.map((each) => atOrigin(each, site)),
  ];
  return { outcome: 'unchanged', problems, facts: factsOf(record) };
}

/** Times of the record in the form that a run without changes returns. */
function windowOf({ bootableFrom, bootableUntil }: SiteRecord): Facts {
  return {
    ...(bootableFrom !== undefined && { bootableFrom: new Date(bootableFrom) }),
    ...(bootableUntil !== undefined && { bootableUntil: new Date(bootableUntil) }),
  };
}
