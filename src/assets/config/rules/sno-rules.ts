import { aioRules } from './aio.js';
import { liveSystemRules } from './live-system.js';
import { nodeRules } from './node.js';
import { releaseRules } from './release.js';
import type { SnoRule } from './sno-subject.js';

/** The rules on the values of sno-config.yaml. */
export const snoRules: readonly SnoRule[] = [
  ...nodeRules,
  ...releaseRules,
  ...liveSystemRules,
  ...aioRules,
].toSorted((left, right) => left.number - right.number);
