/** Connections to the clusters of sites, and the last reports of clusters and nodes as text. */

export { type NodeReportText, nodeReportTexts } from './node-report-texts.js';
export { siteApi, type ApiAccess } from './site-api.js';
export { groupedByStatus, type StatusGroup, lastStatus, describeNodeReport } from './status-groups.js';
