/** What `serve` shows of a fleet: outdated media, boots and rollouts. */

export { comparedFleets, outdatedMedia } from './outdated-media.js';
export { rolloutReader } from './rollout-reader.js';
export { fleetStatusReader } from './site-status-reader.js';
export { tokensPath } from './tokens-path.js';
