import type { HeardReport } from '../reports/site-reports.js';
import type { Visit } from '../visits.js';

/** What others than the server know of a site. */
export interface Finding {
  /** How far `fleet boot` came with it, and when, in RFC 3339. */
  readonly boot?: { readonly reached: 'starting' | 'booted' | 'ejected'; readonly at: string };
  /** When the certificates of its medium end, in RFC 3339. */
  readonly bootableUntil?: string;
}

/** All that is known of a site at a moment. */
export interface KnownSite {
  readonly name: string;
  readonly hasOutputs: boolean;
  readonly visit: Visit;
  readonly finding: Finding;
  /** What its node said last. */
  readonly report?: HeardReport;
}
