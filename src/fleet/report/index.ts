/** Reports the signs of life of each site that is not installed, and the next command. next-step.ts decides. */

export { reportSites, type FleetReport, type ReportRequest, type SiteReport } from './report-sites.js';
