/** The table of a fleet: reads fleet.yaml and the table, expands the files of each site, fetches secrets, and selects sites. */

export type { LoadedFleet } from './check-fleet.js';
export { filesOf, siteSourcesOf } from './check-site-files.js';
export { readFleet, type Fleet } from './fleet-file.js';
export { fleetFileName } from './fleet-paths.js';
export { fleetSkeleton } from './fleet-skeleton.js';
export { type FleetProblem, fleetWide, type ShownProblems, GroupedProblems } from './grouped-problems.js';
export { InstanceWarnings } from './instance-warnings.js';
export { packedFolder } from './packed-files.js';
export { fleetFilesOf, loadFleet } from './read-fleet.js';
export { siteProblems } from './site-problems.js';
export { withSecrets, secretAccess } from './site-secrets.js';
export {
  type SiteSelection,
  isPartial,
  selectableColumns,
  selectableSite,
  siteSelector,
  isSelected,
} from './site-selection.js';
export type { SiteRow } from './site-table.js';
