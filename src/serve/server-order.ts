import type { Problem } from '../core/problem.js';
import type { ServerLimits } from './answers/connections.js';
import type { LiveSites } from './live-sites.js';
import type { Answered } from './answers/serve-log.js';
import type { ReportOrder } from './reports/report-route.js';
import type { PageOrder } from './page/page-order.js';
import type { MediaMaker } from './media/site-media.js';
import type { StockImage } from './media/stock-image.js';
import type { Visits } from './visits.js';

/** What a server gives out, to whom, and how much of it. */
export interface ServerOrder {
  readonly stock: StockImage;
  readonly media: MediaMaker;
  readonly sites: LiveSites;
  readonly visits: Visits;
  readonly page: PageOrder;
  /** Absent where no reports are taken. */
  readonly reports?: ReportOrder;
  /** What machines reach the server by. */
  readonly url: URL;
  /** Words behind the kernel's arguments, for a boot over the network. */
  readonly kernelArguments: readonly string[];
  readonly limits: ServerLimits;
  /** Whether a token is good for one complete download. */
  readonly isOnce: boolean;
  readonly now: () => Date;
  readonly log: (answered: Answered) => void;
  readonly tell: (problems: readonly Problem[], site: string) => void;
}
