/** The configuration of running sites: generated, applied, and compared with the clusters. */

export { comparedSites, comparisonGoal, groupedSites, type ComparedSite } from './compared-sites.js';
export { configurationDigest, runApplyRollout } from './apply-rollout.js';
export { siteObjects } from './site-objects.js';
export { siteTask, type SiteTaskOptions } from './site-task.js';
