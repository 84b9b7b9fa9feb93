import type { CapabilitiesOfRelease } from './capability-sets.js';
import type { ReleaseVersion } from './release-version.js';

/** Properties of an OpenShift release that affect the output. */
export interface OpenShiftRelease extends CapabilitiesOfRelease {
  readonly version: ReleaseVersion;
  /** Whether the templates are written for the release and tested. Other releases are installed with a warning. */
  readonly isOffered: boolean;
  /** Whether `controlPlane.render: Installer` is available: whether the control loops produce the objects that the release's operators expect. */
  readonly offersInstaller: boolean;
  /** The x of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  readonly etcd: EtcdOfRelease;
  readonly controllerManager: ControllerManagerOfRelease;
  /** Whether operators create NetworkPolicies in the control-plane namespaces. */
  readonly hasNetworkPolicies: boolean;
  /** Whether RHCOS boot images contain kubelet, CRI-O and oc. Later images load them from the payload into memory. */
  readonly hasNodeProgramsInImages: boolean;
  /** Whether the kubelet of the control plane gets the labels in the variable `CUSTOM_KUBELET_LABELS`. */
  readonly hasKubeletLabels: boolean;
  /** Whether the docker-registry image contains `/usr/bin/distribution`. */
  readonly hasDistributionInRegistry: boolean;
  /** The ClusterImagePolicy `openshift` of the release; absent if it has none. */
  readonly imagePolicy?: ImagePolicy;
  /** Whether OKD builds have the feature set OKD. */
  readonly hasOkdFeatureSet: boolean;
  /** The default operating system stream. */
  readonly osStream: 'rhel-9' | 'rhel-10';
  /** How OSImageStream is served; absent if the API server never serves it. */
  readonly osImageStream?: ServedKind;
  /** How PKI is served. */
  readonly pki?: ServedKind;
  /** The newest Ignition spec 3.x that a MachineConfig may use. */
  readonly machineConfigSpec: number;
  /** Bootstrap stages whose tool was added after 4.14. */
  readonly stages: readonly LateStage[];
  /** Flags of the payload's render tools that were added after 4.14, by tool. */
  readonly renderFlags: Readonly<Partial<Record<RenderTool, readonly string[]>>>;
}

/** Properties of etcd and its operator that depend on the release. */
export interface EtcdOfRelease {
  readonly version: `3.${number}`;
  /** ConfigMaps of openshift-etcd that each revision of the static pod copies. */
  readonly revisionedConfigMaps: readonly string[];
  /** Namespaces in which the operator reads its signers. */
  readonly signerNamespaces: readonly string[];
}

/** Arguments that the operator of kube-controller-manager sets in a release. */
export interface ControllerManagerOfRelease {
  readonly controllers: readonly string[];
  /** Flags (without leading dashes) that the operator sets in this release but not in others. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
}

/** Images that CRI-O runs only with a sigstore signature. */
export interface ImagePolicy {
  /** Repositories, with their registry. */
  readonly repositories: readonly string[];
  /** The feature set that has the policy; absent if all have it. */
  readonly featureSet?: string;
}

/** A kind that only some releases serve. */
export interface ServedKind {
  readonly apiVersion: 'v1' | 'v1alpha1';
  /** The feature gate that the kind needs; absent if every cluster serves it. */
  readonly gate?: string;
}

/** Stages of bootkube, named as in docs/boot-flow.md. */
export type LateStage = 'api-bootstrap' | 'auth-api-bootstrap' | 'cmdbootline-nto-bootstrap';

/** A tool of the payload that bootkube runs to render manifests, named after its image. */
export type RenderTool =
  | 'cluster-config-operator'
  | 'cluster-etcd-operator'
  | 'cluster-kube-apiserver-operator'
  | 'cluster-version-operator'
  | 'machine-config-operator';
