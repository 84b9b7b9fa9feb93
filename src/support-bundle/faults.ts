import type { Fault } from './fault.js';
import { aioFaults } from './faults-aio.js';
import { controlPlaneFaults } from './faults-control-plane.js';
import { diskFaults } from './faults-disk.js';
import { machineFaults } from './faults-machine.js';
import { nodeFaults } from './faults-node.js';
import { payloadFaults } from './faults-payload.js';
import { restoreFaults } from './faults-restore.js';
import { snapshotFaults } from './faults-snapshot.js';

/** Every fault that `analyze` recognises; docs/faults.md is generated from it. The more telling ones come first. */
export const faults: readonly Fault[] = [
  ...aioFaults,
  ...machineFaults,
  ...diskFaults,
  ...payloadFaults,
  ...controlPlaneFaults,
  ...snapshotFaults,
  ...restoreFaults,
  ...nodeFaults,
];
