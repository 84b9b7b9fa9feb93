/** Keeps outputs in an object store, and packs the inputs of sites for the pods of a Job. */

export type { CollectedSite, CollectResult } from './collect-site.js';
export { collectSites, type Collected } from './collect-sites.js';
export { createInStore, type StoreCreation } from './create-in-store.js';
export { findFleetKey } from './fleet-key.js';
export { type FleetJobOptions, type RequiredSecret, jobObjects, requiredSecrets } from './job/job-objects.js';
export { openRequestedStore } from './open-store.js';
export { type PackInputs, packFleet, type PackResult } from './pack/pack-fleet.js';
export { fetchPack } from './pack/pack-store.js';
export { shardRows, fleetIdOf, isFleetId, type ShardPack, type Shard } from './pack/shard-pack.js';
export { siteStore, type SiteStore } from './site-store.js';
export { unencryptedFaults, type StoreInputs } from './store-inputs.js';
export { storeProblem } from './store-problem.js';
export { storedConfigs } from './stored-configs.js';
