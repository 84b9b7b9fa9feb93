import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { SchedulerConfig } from './config-model.js';

/** The differences between OpenShift's kube-scheduler and upstream's. */
export interface SchedulerDialect {
  readonly pod: (inputs: LoopInputs, config: SchedulerConfig) => Pod;
  readonly config: (
    inputs: LoopInputs,
  ) => Pick<SchedulerConfig, 'leaderElection' | 'bindAddress' | 'certFolder'>;
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** The objects that the static pod reads. */
  readonly revision: RevisionedObjects;
}
