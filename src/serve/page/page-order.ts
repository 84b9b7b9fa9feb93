import type { ApiWords } from '../api-words/api-word.js';
import type { LiveSites } from '../live-sites.js';
import type { SiteFolder } from '../site-folders.js';
import type { Visits } from '../visits.js';
import type { HeardReport } from '../reports/site-reports.js';
import type { Finding } from './known-site.js';

/** Inputs of the page that do not come from the server itself. */
export interface PageOrder {
  /** Names of sites that may have changed. The page removes a name after it has read the site. */
  readonly touched: Set<string>;
  /** Planned sites, including those that already exist. */
  readonly awaited: readonly SiteFolder[];
  /** Returns the current facts from other sources, by site name. */
  readonly findings: () => ReadonlyMap<string, Finding>;
  /** Returns the last report of a site's node. */
  readonly reportOf?: (site: string) => HeardReport | undefined;
  /** Returns the API states that `fleet wait-for` recorded. */
  readonly apiWords?: () => ApiWords;
}

export interface PageSources extends PageOrder {
  readonly sites: LiveSites;
  readonly visits: Visits;
  readonly now: () => Date;
}
