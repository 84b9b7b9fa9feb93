/** Upgrades the clusters of sites in waves. */

export { parseTarget } from './read-target.js';
export { resolveTarget } from './resolve-target.js';
export { runUpgrade, siteConnector } from './run-upgrade.js';
