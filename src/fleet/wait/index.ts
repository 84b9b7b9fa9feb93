/** Connects to the clusters of sites, and describes what they and their nodes reported last. */

export { type NodeReportText, nodeReportTexts } from './node-report-texts.js';
export { siteApi } from './site-api.js';
export { groupedByStatus, type StatusGroup, lastStatus, describeNodeReport } from './status-groups.js';
