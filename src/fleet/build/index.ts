/** Creates the outputs of sites, and tells which of them are up to date. */

export { emptyResult, type FleetResult } from './build-fleet.js';
export { checkFleetSite, fleetFolderAbove, fleetSiteConfig, fleetSitePayload } from './check-fleet-site.js';
export { createSites, sitesBelow, type SitesToCreate } from './create-sites.js';
export { recipientFaults, neededStdin } from './fleet-options.js';
export {
  fleetStatusNow,
  openRequestedFleet,
  type FleetRequest,
  siteOptions,
  openRequestedFleetToCheck,
} from './fleet-request.js';
export type { FleetStatus } from './fleet-status.js';
export type { SiteOutcome } from './previous-sites.js';
export { isoWords } from './iso-status.js';
export { isoPayloads } from './iso-payloads.js';
export { judgedPayloads, namedPayloads, sharedPayload } from './site-payloads.js';
export { encryptedConfigFaults, openLiveIso, siteIsoName } from './site-iso.js';
export type { LiveIsoOptions } from './site-options.js';
export { currentWords, statusWords } from './status-words.js';
