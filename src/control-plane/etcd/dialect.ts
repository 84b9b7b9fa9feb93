import type { ConfigMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { TlsProfile } from '../shared/tls-profile.js';
import type { EtcdConfig, EtcdListeners } from './config-model.js';

/** The differences between etcd as OpenShift's operator runs it and upstream etcd. */
export interface EtcdDialect {
  readonly pod: (inputs: LoopInputs, config: EtcdConfig) => Pod;
  readonly listening: (inputs: LoopInputs, tls: TlsProfile) => EtcdListeners;
  /** True if the metrics endpoint has its own certificate and CA. */
  readonly servesMetricsApart: boolean;
  /** ConfigMaps that list the members for the other components. */
  readonly endpoints: (inputs: LoopInputs) => readonly ConfigMap[];
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** The objects that the static pod reads. */
  readonly revision: RevisionedObjects;
}
