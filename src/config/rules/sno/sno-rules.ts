import { aioRules } from './aio.js';
import { networkRules } from '../../../network/checks/network-rules.js';
import { reportRules } from '../../../reports/report-rules.js';
import { nodeRules } from './node.js';
import { releaseRules } from './pull-spec.js';
import type { SnoRule } from './sno-subject.js';
import { liveSystemRules } from './system-settings.js';

/** The rules on the values of sno-config.yaml. */
export const snoRules: readonly SnoRule[] = [
  ...nodeRules,
  ...networkRules,
  ...reportRules,
  ...releaseRules,
  ...liveSystemRules,
  ...aioRules,
].toSorted((left, right) => left.number - right.number);
