import type { CapabilitiesOfRelease } from './capability-sets.js';
import type { ReleaseVersion } from './release-version.js';

/** What is known of a release of OpenShift: everything in which releases differ for us. */
export interface OpenShiftRelease extends CapabilitiesOfRelease {
  readonly version: ReleaseVersion;
  /** Whether the templates are written and tried for it; one that is only announced is installed with a warning. */
  readonly isOffered: boolean;
  /** Whether `controlPlane.render: Installer` can be had: whether the loops make what this release's operators look for. */
  readonly offersInstaller: boolean;
  /** Minor of Kubernetes 1.x. */
  readonly kubernetesMinor: number;
  readonly etcd: EtcdOfRelease;
  readonly controllerManager: ControllerManagerOfRelease;
  /** Whether operators bring NetworkPolicies for the namespaces of the control plane. */
  readonly hasNetworkPolicies: boolean;
  /** Whether images of RHCOS to boot hold kubelet, CRI-O and oc; later ones get them from the payload, into memory. */
  readonly hasNodeProgramsInImages: boolean;
  /** Whether builds of OKD know the feature set OKD. */
  readonly hasOkdFeatureSet: boolean;
  /** The stream of the operating system that is installed when nobody names one. */
  readonly osStream: 'rhel-9' | 'rhel-10';
  /** How the kind OSImageStream is served; absent where the object could never be created. */
  readonly osImageStream?: ServedKind;
  /** How the kind PKI is served. */
  readonly pki?: ServedKind;
  /** The newest spec 3.x of Ignition that a MachineConfig may be written in. */
  readonly machineConfigSpec: number;
  /** Stages of the bootstrap whose tool came after 4.14, by stage. */
  readonly stages: readonly LateStage[];
  /** Flags of the payload's render tools that came after 4.14, by tool. */
  readonly renderFlags: Readonly<Partial<Record<RenderTool, readonly string[]>>>;
}

/** What differs from release to release in etcd and its operator. */
export interface EtcdOfRelease {
  readonly version: `3.${number}`;
  /** ConfigMaps of openshift-etcd that a revision of the static pod copies. */
  readonly revisionedConfigMaps: readonly string[];
  /** Namespaces in which the operator looks for its signers. */
  readonly signerNamespaces: readonly string[];
}

/** What the operator of kube-controller-manager gives it in a release. */
export interface ControllerManagerOfRelease {
  readonly controllers: readonly string[];
  /** Flags without dashes that the operator sets in this release and not in others. */
  readonly arguments: Readonly<Record<string, readonly string[]>>;
}

/** A kind that not every release serves. */
export interface ServedKind {
  readonly apiVersion: 'v1' | 'v1alpha1';
  /** The feature gate that a cluster must have on; absent where every cluster serves the kind. */
  readonly gate?: string;
}

/** Stages of bootkube, as docs/boot-flow.md calls them. */
export type LateStage = 'api-bootstrap' | 'auth-api-bootstrap' | 'cmdbootline-nto-bootstrap';

/** A tool of the payload that bootkube calls to render manifests, by the image it is in. */
export type RenderTool =
  | 'cluster-config-operator'
  | 'cluster-etcd-operator'
  | 'cluster-kube-apiserver-operator'
  | 'cluster-version-operator'
  | 'machine-config-operator';
