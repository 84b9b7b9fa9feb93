/** Boots sites in waves and waits for each wave. run-rollout.ts decides when a wave has failed. */

export { runBootRollout } from './boot-rollout.js';
export { withProblems, type RolloutResult } from './drive-rollout.js';
export { type OpenedRollout, openRollout } from './open-rollout.js';
export type { RolloutCriterion, RolloutPlan } from './rollout-file.js';
export { countSites, type RolloutState } from './rollout-state.js';
export type { RolloutNotice } from './run-rollout.js';
export { localTimeText, nextOpening } from './windows.js';
