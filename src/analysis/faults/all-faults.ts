import { aioFaults } from './aio-faults.js';
import { controlPlaneFaults } from './control-plane-faults.js';
import { diskFaults } from './disk-faults.js';
import { writeFaults } from './disk-write-faults.js';
import type { Fault } from './fault.js';
import { hardwareFaults } from './hardware-faults.js';
import { machineFaults } from './machine-faults.js';
import { nodeFaults } from './node-faults.js';
import { payloadFaults } from './payload-faults.js';
import { pullFaults } from './pull-faults.js';
import { restoreFaults } from './restore-faults.js';
import { sitePayloadFaults } from './site-payload-faults.js';
import { snapshotFaults } from './snapshot-faults.js';

/** Every fault that `analyze` recognizes, most specific first; docs/faults.md is generated from it. */
export const faults: readonly Fault[] = [
  ...aioFaults,
  ...writeFaults,
  ...machineFaults,
  ...diskFaults,
  ...sitePayloadFaults,
  ...pullFaults,
  ...payloadFaults,
  ...controlPlaneFaults,
  ...snapshotFaults,
  ...restoreFaults,
  ...nodeFaults,
  ...hardwareFaults,
];
