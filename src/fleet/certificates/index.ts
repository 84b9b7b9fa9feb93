/** Lists the certificates of sites, grouped by expiry. */

export { fleetCertificates } from './fleet-certificates.js';
export {
  expiryProblems,
  type FleetCertificates,
  fleetCertificatesData,
  fleetCertificatesText,
} from './show-certificates.js';
