import type { ReceivedReport } from '../reports/site-reports.js';
import type { DownloadStatus } from '../download-tracker.js';

/** Facts about a site from sources other than this server. */
export interface ExternalStatus {
  /** The last step of `fleet boot`, and its time in RFC 3339. */
  readonly boot?: { readonly state: 'starting' | 'booted' | 'ejected'; readonly at: string };
  /** When the certificates of the medium expire, in RFC 3339. */
  readonly bootableUntil?: string;
}

/** An API state as the page shows it. */
export interface ApiStateCell {
  readonly word: string;
  /** The meaning of `at`: start of the current state, or, for an old state, the last request. */
  readonly note: 'since' | 'outdated, last check';
  /** RFC 3339. */
  readonly at: string;
}

/** Everything that is known about a site at one time. */
export interface SiteStatus {
  readonly name: string;
  readonly hasOutputs: boolean;
  readonly visit: DownloadStatus;
  readonly finding: ExternalStatus;
  /** The last report of the node. */
  readonly report?: ReceivedReport;
  /** The last state of the API. */
  readonly api?: ApiStateCell;
  /** Status of an expired or outdated medium. */
  readonly medium?: string;
  /** State in the newest rollout. */
  readonly rollout?: string;
}
