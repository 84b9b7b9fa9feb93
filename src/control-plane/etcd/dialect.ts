import type { ConfigMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { TlsProfile } from '../shared/tls-profile.js';
import type { EtcdConfig, Listening } from './config-model.js';

/** What differs between etcd as OpenShift's operator runs it and etcd alone. */
export interface EtcdDialect {
  readonly pod: (inputs: LoopInputs, config: EtcdConfig) => Pod;
  readonly listening: (inputs: LoopInputs, tls: TlsProfile) => Listening;
  /** Whether its metrics have a certificate and an authority of their own. */
  readonly servesMetricsApart: boolean;
  /** Where its members are, for the other components. */
  readonly endpoints: (inputs: LoopInputs) => readonly ConfigMap[];
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** What the static pod reads. */
  readonly revision: RevisionedObjects;
}
