import type { KubeObject } from './object.js';

/**
 * A kind with a single object named `cluster`: the kinds of config.openshift.io and operator.openshift.io that an
 * installer writes. Source: openshift/api config/v1, operator/v1, operator/v1alpha1.
 */
interface Singleton<Group extends string, Kind extends string> extends KubeObject {
  readonly apiVersion: Group;
  readonly kind: Kind;
  readonly metadata: { readonly name: 'cluster' };
}

type Config<Kind extends string> = Singleton<'config.openshift.io/v1', Kind>;

/** Number of control-plane nodes that operators expect. */
export type ControlPlaneTopology =
  'SingleReplica' | 'DualReplica' | 'HighlyAvailableArbiter' | 'HighlyAvailable';

/** Number of nodes that operators expect for infrastructure workloads. */
export type InfrastructureTopology = 'SingleReplica' | 'HighlyAvailable';

/** Platform as the installer knows it. */
export type PlatformSpec =
  | { readonly type: 'None' }
  | { readonly type: 'External'; readonly external: { readonly platformName: string } };

/** Properties of the platform that operators read. */
export type PlatformStatus =
  | { readonly type: 'None' }
  | {
      readonly type: 'External';
      readonly external: { readonly cloudControllerManager: { readonly state: 'External' | 'None' } };
    };

/** Platform of the cluster, and the URLs of its API. */
export interface Infrastructure extends Config<'Infrastructure'> {
  readonly spec: { readonly platformSpec: PlatformSpec };
  readonly status: {
    readonly apiServerInternalURI: string;
    readonly apiServerURL: string;
    readonly controlPlaneTopology: ControlPlaneTopology;
    readonly cpuPartitioning: 'None' | 'AllNodes';
    readonly infrastructureName: string;
    readonly infrastructureTopology: InfrastructureTopology;
    /** Deprecated in favor of `platformStatus`, but still read by older operators. */
    readonly platform: PlatformSpec['type'];
    readonly platformStatus: PlatformStatus;
  };
}

/** Nodes that run the default router. */
export type DefaultPlacement = 'ControlPlane' | 'Workers';

/** Default domain and placement of routes. */
export interface Ingress extends Config<'Ingress'> {
  readonly spec: { readonly domain: string };
  readonly status: { readonly defaultPlacement: DefaultPlacement };
}

/** Base domain of the cluster. */
export interface Dns extends Config<'DNS'> {
  readonly spec: { readonly baseDomain: string };
}

/** A CIDR for pods, and the prefix length of each node's subnet. */
export interface ClusterNetworkEntry {
  readonly cidr: string;
  readonly hostPrefix: number;
}

export interface Network extends Config<'Network'> {
  readonly spec: {
    readonly clusterNetwork: readonly ClusterNetworkEntry[];
    /** An empty policy forbids all Service.spec.externalIPs; without a policy some would be allowed. */
    readonly externalIP: { readonly policy: Readonly<Record<string, never>> };
    readonly networkType: string;
    readonly serviceNetwork: readonly string[];
  };
}

/** Configuration of OVN-Kubernetes for the network operator. */
export interface OperatorNetwork extends Singleton<'operator.openshift.io/v1', 'Network'> {
  readonly spec: {
    readonly clusterNetwork: readonly ClusterNetworkEntry[];
    readonly defaultNetwork: {
      readonly type: 'OVNKubernetes';
      readonly ovnKubernetesConfig: { readonly ipv4: { readonly internalJoinSubnet: string } };
    };
    readonly managementState: 'Managed';
    readonly serviceNetwork: readonly string[];
  };
}

export interface ProxyUrls {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  /** Comma-separated. */
  readonly noProxy?: string;
}

/** The cluster-wide proxy: operators read `status`; `trustedCA` is a ConfigMap in openshift-config. */
export interface Proxy extends Config<'Proxy'> {
  readonly spec: ProxyUrls & { readonly trustedCA?: { readonly name: string } };
  readonly status?: ProxyUrls;
}

/** Scheduling of ordinary pods on the control plane. */
export interface Scheduler extends Config<'Scheduler'> {
  readonly spec: { readonly mastersSchedulable: boolean };
}

/** Features in addition to the release's defaults: a feature set, or individual features. */
export interface FeatureGate extends Config<'FeatureGate'> {
  readonly spec: {
    readonly featureSet?: string;
    readonly customNoUpgrade?: {
      readonly disabled?: readonly string[];
      readonly enabled?: readonly string[];
    };
  };
}

/** An object that the cluster-version operator does not manage. */
export interface ComponentOverride {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly unmanaged: boolean;
}

/** Input of the cluster-version operator. */
export interface ClusterVersion extends KubeObject {
  readonly apiVersion: 'config.openshift.io/v1';
  readonly kind: 'ClusterVersion';
  /** The kind is cluster-scoped; the namespace is written as openshift-install does. */
  readonly metadata: { readonly name: 'version'; readonly namespace: 'openshift-cluster-version' };
  readonly spec: {
    readonly capabilities?: {
      readonly additionalEnabledCapabilities?: readonly string[];
      readonly baselineCapabilitySet: string;
    };
    readonly channel?: string;
    readonly clusterID: string;
    /** URL of the update graph; the release's default if absent. */
    readonly upstream?: string;
  };
}
