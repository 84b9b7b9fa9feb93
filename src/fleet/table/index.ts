/** The table of a fleet: reads fleet.yaml and the table, expands the files of each site, fetches secrets, and selects sites. */

export type { LoadedFleet } from './check-fleet.js';
export { filesOf, siteSourcesOf } from './check-site-files.js';
export type { Fleet } from './fleet-file.js';
export { fleetFileName } from './fleet-paths.js';
export { fleetSkeleton, ignoreFileName } from './fleet-skeleton.js';
export { InstanceWarnings } from './instance-warnings.js';
export { loadFleet } from './read-fleet.js';
export { siteProblems } from './site-problems.js';
export { withSecrets, secretAccess } from './site-secrets.js';
export { isPartial, isSelected, type SiteSelection } from './site-selection.js';
export type { SiteRow } from './site-table.js';
