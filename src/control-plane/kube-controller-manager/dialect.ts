import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { Store } from '../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { ControllerManagerConfig } from './config-model.js';

/** The differences between OpenShift's kube-controller-manager and upstream's. */
export interface ControllerManagerDialect {
  readonly pod: (inputs: LoopInputs, config: ControllerManagerConfig) => Pod;
  /** Arguments by flag before config observation. */
  readonly arguments: (inputs: LoopInputs) => FlagValues;
  /** All addresses if undefined. */
  readonly bindAddress: (inputs: LoopInputs) => string | undefined;
  /** Arguments by flag that follow from the cluster's networks and name. */
  readonly observation: (inputs: LoopInputs) => FlagValues;
  /** The objects with configuration files that the pod reads. */
  readonly files: (config: ControllerManagerConfig, inputs: LoopInputs) => readonly KubeObject[];
  /** Additional objects of the target config loop, independent of config observation. */
  readonly companions: (inputs: LoopInputs, store: Store) => readonly KubeObject[];
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** The objects that the static pod reads. */
  readonly revision: RevisionedObjects;
}
