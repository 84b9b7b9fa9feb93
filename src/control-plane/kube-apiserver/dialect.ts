import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { Store } from '../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { AuditRule } from './audit-rule.js';
import type { ApiserverConfig } from './config-model.js';
import type { NamedCertificate, OpenShiftSettings, PluginConfigs } from './operator-config.js';

/** What differs between OpenShift's kube-apiserver and upstream's. */
export interface ApiserverDialect {
  readonly pod: (inputs: LoopInputs, config: ApiserverConfig) => Pod;
  /** By flag, before anything is observed and beside what both are told. */
  readonly arguments: (inputs: LoopInputs) => FlagValues;
  /** Who is let in without a name, where a file says it. */
  readonly authentication: (inputs: LoopInputs) => Readonly<Record<string, unknown>> | undefined;
  /** The configuration files that the pod reads, by name. */
  readonly files: (config: ApiserverConfig) => Readonly<Record<string, string>>;
  /** Files, or folders of files, of a ConfigMap whose keys verify service-account tokens. */
  readonly publicKeys: (configMap: string, store: Store) => readonly string[];
  readonly observation: ApiserverObservation;
  readonly auditRules: (store: Store) => readonly AuditRule[];
  /** What is encrypted where a key is given. */
  readonly encryptedResources: readonly string[];
  /** What the target config loop makes besides. */
  readonly companions: (store: Store) => readonly KubeObject[];
  /** Whether administrators on the node itself have kubeconfigs there. */
  readonly hasNodeKubeconfigs: boolean;
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** What the static pod reads. */
  readonly revision: RevisionedObjects;
}

/** What is observed in another way, or by one alone. */
interface ApiserverObservation {
  readonly admission: (inputs: LoopInputs) => PluginConfigs;
  /** URLs. */
  readonly etcdServers: (store: Store, inputs: LoopInputs) => readonly string[];
  /** Under which URL the keys of the usual issuer are published. */
  readonly issuerUrl: (inputs: LoopInputs) => string;
  readonly openShift?: (store: Store) => OpenShiftSettings;
  readonly namedCertificates: readonly NamedCertificate[];
}
