import type { Problem } from '../core/problem.js';
import type { ServerLimits } from './answers/connections.js';
import type { LiveSites } from './live-sites.js';
import type { AccessLogEntry } from './answers/access-log.js';
import type { ReportOptions } from './reports/report-route.js';
import type { PageOptions } from './page/page-options.js';
import type { ServerCounts } from './metrics/server-counts.js';
import type { MediaMaker } from './media/site-media.js';
import type { BaseIso } from './media/base-iso.js';
import type { OutdatedMedia } from './outdated-media.js';
import type { DownloadTracker } from './download-tracker.js';
import type { DownloadRecord } from './site-downloads.js';

export interface ServerOptions {
  readonly stock: BaseIso;
  readonly media: MediaMaker;
  readonly sites: LiveSites;
  readonly visits: DownloadTracker;
  /** The file of the downloads; absent if none is kept. */
  readonly downloads?: DownloadRecord;
  readonly page: PageOptions;
  readonly counts: ServerCounts;
  /** Absent if the server does not accept reports. */
  readonly reports?: ReportOptions;
  /** The URL under which machines reach the server. */
  readonly url: URL;
  /** Kernel arguments to append for network boot. */
  readonly kernelArguments: readonly string[];
  readonly limits: ServerLimits;
  /** Whether each token allows only one complete download. */
  readonly isOnce: boolean;
  /** Absent if the media are not compared with a fleet. */
  readonly outdated?: OutdatedMedia;
  /** Whether outdated media are refused. */
  readonly refusesOutdated?: boolean;
  readonly now: () => Date;
  readonly log: (answered: AccessLogEntry) => void;
  readonly onProblems: (problems: readonly Problem[], site: string) => void;
}
