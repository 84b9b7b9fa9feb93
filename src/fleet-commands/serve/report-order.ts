import type { Problem } from '../../core/problem.js';
import type { LiveSites } from '../../serving/live-sites.js';
import { reportSenders } from '../../serving/reports/report-senders.js';
import type { ReportOrder } from '../../serving/reports/report-route.js';
import { reportsPath, siteReports } from '../../serving/reports/site-reports.js';
import type { OpenSites } from './open-sites.js';

/** What a server takes reports with: tokens from the configs of its sites, and a file beside that of tokens. */
export function reportOrder(
  { tokensPath, access }: Pick<OpenSites, 'tokensPath' | 'access'>,
  sites: LiveSites,
  { touched, tell }: { readonly touched: Set<string>; readonly tell: (problems: readonly Problem[]) => void },
): ReportOrder {
  return {
    senders: reportSenders(sites.all, access),
    reports: siteReports(reportsPath(tokensPath), tell),
    onReport: (site) => touched.add(site),
  };
}
