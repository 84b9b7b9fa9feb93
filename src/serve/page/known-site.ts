import type { HeardReport } from '../reports/site-reports.js';
import type { Visit } from '../visits.js';

/** What others than the server know of a site. */
export interface Finding {
  /** How far `fleet boot` came with it, and when, in RFC 3339. */
  readonly boot?: { readonly reached: 'starting' | 'booted' | 'ejected'; readonly at: string };
  /** When the certificates of its medium end, in RFC 3339. */
  readonly bootableUntil?: string;
}

/** What an API said as the page shows it. */
export interface ShownApiWord {
  readonly word: string;
  /** What the time says: since when it says so, or, of one that is old, when it was asked last. */
  readonly note: 'since' | 'old, last asked';
  /** In RFC 3339. */
  readonly at: string;
}

/** All that is known of a site at a moment. */
export interface KnownSite {
  readonly name: string;
  readonly hasOutputs: boolean;
  readonly visit: Visit;
  readonly finding: Finding;
  /** What its node said last. */
  readonly report?: HeardReport;
  /** What its API said last. */
  readonly api?: ShownApiWord;
}
