import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { Store } from '../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { ControllerManagerConfig } from './config-model.js';

/** What differs between OpenShift's kube-controller-manager and upstream's. */
export interface ControllerManagerDialect {
  readonly pod: (inputs: LoopInputs, config: ControllerManagerConfig) => Pod;
  /** By flag, before anything is observed. */
  readonly arguments: (inputs: LoopInputs) => FlagValues;
  /** Undefined means every address. */
  readonly bindAddress: (inputs: LoopInputs) => string | undefined;
  /** What follows from the cluster's networks and name, by flag. */
  readonly observation: (inputs: LoopInputs) => FlagValues;
  /** The configurations that the pod reads as files. */
  readonly files: (config: ControllerManagerConfig, inputs: LoopInputs) => readonly KubeObject[];
  /** What the target config loop makes besides, whether or not anything was observed. */
  readonly companions: (inputs: LoopInputs, store: Store) => readonly KubeObject[];
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** What the static pod reads. */
  readonly revision: RevisionedObjects;
}
