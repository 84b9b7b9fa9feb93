import type { KubeObject } from '../../kube/object.js';
import type { Pod } from '../../kube/pod-object.js';
import type { LoopInputs } from '../loops/loop-inputs.js';
import type { RevisionedObjects } from '../loops/revision.js';
import type { Store } from '../loops/store.js';
import type { FlagValues } from '../shared/flag-list.js';
import type { AuditRule } from './audit-rule.js';
import type { ApiserverConfig } from './config-model.js';
import type { NamedCertificate, OpenShiftSettings, PluginConfigs } from './operator-config.js';

/** The differences between OpenShift's kube-apiserver and upstream's. */
export interface ApiserverDialect {
  readonly pod: (inputs: LoopInputs, config: ApiserverConfig) => Pod;
  /** Arguments by flag before config observation, in addition to the common ones. */
  readonly arguments: (inputs: LoopInputs) => FlagValues;
  /** AuthenticationConfiguration for anonymous requests; undefined if a flag configures them. */
  readonly authentication: (inputs: LoopInputs) => Readonly<Record<string, unknown>> | undefined;
  /** The configuration files that the pod reads, as data of a ConfigMap. */
  readonly files: (config: ApiserverConfig) => Readonly<Record<string, string>>;
  /** Files or folders of a ConfigMap with the public keys that verify service-account tokens. */
  readonly publicKeys: (configMap: string, store: Store) => readonly string[];
  readonly observation: ApiserverObservation;
  readonly auditRules: (store: Store) => readonly AuditRule[];
  /** Resources that are encrypted if there is an encryption key. */
  readonly encryptedResources: readonly string[];
  /** Additional objects of the target config loop. */
  readonly companions: (store: Store) => readonly KubeObject[];
  /** True if the node contains kubeconfigs for administrators. */
  readonly hasNodeKubeconfigs: boolean;
  readonly staticObjects: (inputs: LoopInputs) => readonly KubeObject[];
  /** The objects that the static pod reads. */
  readonly revision: RevisionedObjects;
}

/** Observed settings that differ between the dialects. */
interface ApiserverObservation {
  readonly admission: (inputs: LoopInputs) => PluginConfigs;
  /** URLs. */
  readonly etcdServers: (store: Store, inputs: LoopInputs) => readonly string[];
  /** URL under which the keys of the default issuer are published. */
  readonly issuerUrl: (inputs: LoopInputs) => string;
  readonly openShift?: (store: Store) => OpenShiftSettings;
  readonly namedCertificates: readonly NamedCertificate[];
}
