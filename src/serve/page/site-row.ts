import { rfc3339 } from '../../core/rfc3339.js';
import { printable } from '../../core/printable.js';
import { remainingTime } from '../../review/certificates/remaining-time.js';
import { describeReport } from '../reports/describe-report.js';
import type { DownloadStatus } from '../download-tracker.js';
import type { SiteStatus, ApiStateCell } from './site-status.js';
import { phaseOf, type SitePhase } from './site-phase.js';

/** A site as the page shows it: plain text without secrets or HTML. */
export interface SiteRow {
  readonly name: string;
  readonly phase: SitePhase;
  /** The downloaded part of the medium, 0 to 100; only in the phase `reading`. */
  readonly percent?: number;
  /** The latest event, and its time in RFC 3339. */
  readonly word?: string;
  readonly at?: string;
  /** The last state of the API that `fleet wait-for` recorded. */
  readonly api?: ApiStateCell;
  /** State in the newest rollout. */
  readonly rollout?: string;
  /** Status of an expired or outdated medium. */
  readonly medium?: string;
  /** When the certificates expire, in RFC 3339. */
  readonly until?: string;
  /** The time until then, such as `29 days left`. */
  readonly untilText?: string;
}

export function siteRow(site: SiteStatus, now: Date): SiteRow {
  const { name, finding, visit, api, rollout, medium } = site;
  const phase = phaseOf(site);
  const last = lastWord(site);
  return {
    name: printable(name),
    phase,
    ...(phase === 'reading' && { percent: percentOf(visit) }),
    ...(last && { word: last.word, at: last.at }),
    ...(api && { api }),
    ...(rollout !== undefined && { rollout }),
    ...(medium !== undefined && { medium: printable(medium) }),
    ...(finding.bootableUntil !== undefined && {
      until: finding.bootableUntil,
      untilText: remainingTime(finding.bootableUntil, now),
    }),
  };
}

interface Word {
  readonly word: string;
  readonly at: string;
}

const bootWords = {
  starting: 'powering on',
  booted: 'booted from its medium',
  ejected: 'medium ejected',
} as const;

/** Returns the latest event from all sources. */
function lastWord({ visit, finding: { boot }, report }: SiteStatus): Word | undefined {
  const words: readonly (Word | undefined)[] = [
    visit.last && { word: visitWord(visit, visit.last.what), at: rfc3339(visit.last.at) },
    boot && { word: bootWords[boot.state], at: boot.at },
    report && { word: describeReport(report), at: report.receivedAt },
  ];
  return words
    .filter((each) => each !== undefined)
    .toSorted((left, right) => Date.parse(right.at) - Date.parse(left.at))[0];
}

function visitWord(visit: DownloadStatus, what: string): string {
  return visit.ofBytes > 0 && what === 'live.iso'
    ? `downloaded ${percentOf(visit)} % of ${what}`
    : `requested ${what}`;
}

/** Rounds down: 100 only when the last byte was sent. */
function percentOf({ givenBytes, ofBytes }: DownloadStatus): number {
  return ofBytes === 0 ? 0 : Math.floor((givenBytes / ofBytes) * 100);
}
