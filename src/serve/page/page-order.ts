import type { ApiWords } from '../api-words/api-word.js';
import type { LiveSites } from '../live-sites.js';
import type { SiteFolder } from '../site-folders.js';
import type { Visits } from '../visits.js';
import type { HeardReport } from '../reports/site-reports.js';
import type { Finding } from './known-site.js';

/** What the page shows beside what the server sees itself. */
export interface PageOrder {
  /** Names of sites of which there may be more to tell; those that were looked at are taken out. */
  readonly touched: Set<string>;
  /** Sites that are to come, among those that are there. */
  readonly awaited: readonly SiteFolder[];
  /** What others know of sites, by name, as it is at the moment. */
  readonly findings: () => ReadonlyMap<string, Finding>;
  /** What the node of a site said last. */
  readonly reportOf?: (site: string) => HeardReport | undefined;
  /** What APIs of sites said last to who waits for them, as it is at the moment. */
  readonly apiWords?: () => ApiWords;
}

/** What the rows of the page are made of. */
export interface PageSources extends PageOrder {
  readonly sites: LiveSites;
  readonly visits: Visits;
  readonly now: () => Date;
}
