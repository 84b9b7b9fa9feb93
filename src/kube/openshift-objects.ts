import type { KubeObject } from './object.js';

/**
 * The one object of its kind in a cluster, always called `cluster`: the kinds of config.openshift.io and
 * operator.openshift.io that an installer writes. Source: openshift/api config/v1, operator/v1, operator/v1alpha1.
 */
interface Singleton<Group extends string, Kind extends string> extends KubeObject {
  readonly apiVersion: Group;
  readonly kind: Kind;
  readonly metadata: { readonly name: 'cluster' };
}

type Config<Kind extends string> = Singleton<'config.openshift.io/v1', Kind>;

/** How many machines operators run copies of the control plane on. */
export type ControlPlaneTopology =
  'SingleReplica' | 'DualReplica' | 'HighlyAvailableArbiter' | 'HighlyAvailable';

/** The same of what runs on workers. */
export type InfrastructureTopology = 'SingleReplica' | 'HighlyAvailable';

/** What the cluster stands on, and the names of its API. */
export interface Infrastructure extends Config<'Infrastructure'> {
  readonly spec: { readonly platformSpec: { readonly type: 'None' } };
  readonly status: {
    readonly apiServerInternalURI: string;
    readonly apiServerURL: string;
    readonly controlPlaneTopology: ControlPlaneTopology;
    readonly cpuPartitioning: 'None' | 'AllNodes';
    readonly infrastructureName: string;
    readonly infrastructureTopology: InfrastructureTopology;
    /** Deprecated beside `platformStatus`, and still read by older operators. */
    readonly platform: 'None';
    readonly platformStatus: { readonly type: 'None' };
  };
}

/** Which nodes run the default router. */
export type DefaultPlacement = 'ControlPlane' | 'Workers';

/** Where routes are served. */
export interface Ingress extends Config<'Ingress'> {
  readonly spec: { readonly domain: string };
  readonly status: { readonly defaultPlacement: DefaultPlacement };
}

/** The cluster's own domain. */
export interface Dns extends Config<'DNS'> {
  readonly spec: { readonly baseDomain: string };
}

/** A network for pods, and the size of the part that a node gets of it. */
export interface ClusterNetworkEntry {
  readonly cidr: string;
  readonly hostPrefix: number;
}

/** The cluster's networks. */
export interface Network extends Config<'Network'> {
  readonly spec: {
    readonly clusterNetwork: readonly ClusterNetworkEntry[];
    /** An empty policy forbids every Service.spec.externalIPs; no policy at all would allow some. */
    readonly externalIP: { readonly policy: Readonly<Record<string, never>> };
    readonly networkType: string;
    readonly serviceNetwork: readonly string[];
  };
}

/** How the network operator sets up OVN-Kubernetes. */
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

/** How the outside is reached. */
export interface ProxyUrls {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  /** Comma-separated. */
  readonly noProxy?: string;
}

/** The proxy of the cluster: `status` is what operators read, `trustedCA` names a ConfigMap of openshift-config. */
export interface Proxy extends Config<'Proxy'> {
  readonly spec: ProxyUrls & { readonly trustedCA?: { readonly name: string } };
  readonly status?: ProxyUrls;
}

/** Whether the control plane takes any pods. */
export interface Scheduler extends Config<'Scheduler'> {
  readonly spec: { readonly mastersSchedulable: boolean };
}

/** Features beside those of the release: a set by name, or single ones. */
export interface FeatureGate extends Config<'FeatureGate'> {
  readonly spec: {
    readonly featureSet?: string;
    readonly customNoUpgrade?: {
      readonly disabled?: readonly string[];
      readonly enabled?: readonly string[];
    };
  };
}

/** An object that the version operator leaves alone. */
export interface ComponentOverride {
  /** Empty for the core group. */
  readonly group: string;
  readonly kind: string;
  readonly name: string;
  /** Empty for objects of the whole cluster. */
  readonly namespace: string;
  readonly unmanaged: boolean;
}

/** What the version operator installs and updates to. */
export interface ClusterVersion extends KubeObject {
  readonly apiVersion: 'config.openshift.io/v1';
  readonly kind: 'ClusterVersion';
  /** The kind is not namespaced; openshift-install writes the namespace all the same, and so do we. */
  readonly metadata: { readonly name: 'version'; readonly namespace: 'openshift-cluster-version' };
  readonly spec: {
    readonly capabilities?: {
      readonly additionalEnabledCapabilities?: readonly string[];
      readonly baselineCapabilitySet: string;
    };
    readonly channel?: string;
    readonly clusterID: string;
    /** Update graph; absent means that of the release. */
    readonly upstream?: string;
  };
}
