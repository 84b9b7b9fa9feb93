import type { ApiStates } from '../api-states/api-state.js';
import type { RolloutStatus } from '../rollouts/rollout-status.js';
import type { LiveSites } from '../live-sites.js';
import type { OutdatedMedia } from '../outdated-media.js';
import type { SiteConfigs } from '../site-configs.js';
import type { SiteFolder } from '../site-folders.js';
import type { DownloadTracker } from '../download-tracker.js';
import type { ReceivedReport } from '../reports/site-reports.js';
import type { ExternalStatus } from './site-status.js';

/** Inputs of the page that do not come from the server itself. */
export interface PageOptions {
  /** The name of the fleet in the heading: the name of its folder. */
  readonly fleetName: string;
  /** Names of sites that may have changed. The page removes a name after it has read the site. */
  readonly touched: Set<string>;
  /** Planned sites, including those that already exist. */
  readonly awaited: readonly SiteFolder[];
  readonly configs: Pick<SiteConfigs, 'isKnown' | 'watch'>;
  /** Returns the current facts from other sources, by site name. */
  readonly findings: () => ReadonlyMap<string, ExternalStatus>;
  /** Returns the rollouts of the fleet, newest first, at most one for each operation. */
  readonly rollouts?: () => readonly RolloutStatus[];
  /** Returns the last report of a site's node. */
  readonly reportOf?: (site: string) => ReceivedReport | undefined;
  /** Returns the payload of a site whose medium was requested, in words. */
  readonly payloadOf?: (site: SiteFolder) => string | undefined;
  /** Absent if the media are not compared with a fleet. */
  readonly outdated?: OutdatedMedia;
  /** Returns the API states that `fleet wait-for` recorded. */
  readonly apiWords?: () => ApiStates;
}

export interface PageSources extends PageOptions {
  readonly sites: LiveSites;
  readonly visits: DownloadTracker;
  readonly now: () => Date;
}
