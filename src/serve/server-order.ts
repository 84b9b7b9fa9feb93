import type { Problem } from '../core/problem.js';
import type { ServerLimits } from './answers/connections.js';
import type { LiveSites } from './live-sites.js';
import type { Answered } from './answers/serve-log.js';
import type { ReportOrder } from './reports/report-route.js';
import type { PageOrder } from './page/page-order.js';
import type { MediaMaker } from './media/site-media.js';
import type { StockImage } from './media/stock-image.js';
import type { Visits } from './visits.js';

export interface ServerOrder {
  readonly stock: StockImage;
  readonly media: MediaMaker;
  readonly sites: LiveSites;
  readonly visits: Visits;
  readonly page: PageOrder;
  /** Absent if the server does not accept reports. */
  readonly reports?: ReportOrder;
  /** The URL under which machines reach the server. */
  readonly url: URL;
  /** Kernel arguments to append for network boot. */
  readonly kernelArguments: readonly string[];
  readonly limits: ServerLimits;
  /** Whether each token allows only one complete download. */
  readonly isOnce: boolean;
  readonly now: () => Date;
  readonly log: (answered: Answered) => void;
  readonly tell: (problems: readonly Problem[], site: string) => void;
}
