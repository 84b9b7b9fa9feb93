/** Keeps outputs in an object store, and packs the inputs of sites for the pods of a Job. */

export type { CollectedSite, CollectResult } from './collect-site.js';
export { collectSites, type Collected } from './collect-sites.js';
export { createInStore, type StoreCreation } from './create-in-store.js';
export { openRequestedStore } from './open-store.js';
export { openStoredConfigs } from './open-stored-configs.js';
export { openPackedInputs } from './pack/open-packed.js';
export { type PackInputs, packFleet, type PackResult } from './pack/pack-fleet.js';
export { shardRows, fleetIdOf, isFleetId, type Shard } from './pack/shard-pack.js';
export { storeFaults, type StoreInputs } from './store-inputs.js';
