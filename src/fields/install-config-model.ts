import type { Redacted } from '../core/redacted.js';

/** install-config.yaml after conversion of deprecated fields and defaults; field names are upstream's. */
export interface InstallConfig {
  readonly metadata: { readonly name: string };
  /** Without a trailing dot. */
  readonly baseDomain: string;
  readonly pullSecret: Redacted<string>;
  /** One authorized key a line, fields with one space between them; empty when the user gave none. */
  readonly sshKey: string;
  readonly controlPlane: MachinePool;
  readonly compute: readonly MachinePool[];
  readonly networking: Networking;
  readonly proxy?: ProxyConfig;
  /** Certificates in canonical PEM, without text between them; empty when the user gave none. */
  readonly additionalTrustBundle: string;
  readonly additionalTrustBundlePolicy: 'Proxyonly' | 'Always';
  readonly imageDigestSources: readonly ImageDigestSource[];
  /** Deprecated form; never given together with imageDigestSources. */
  readonly imageContentSources: readonly ImageContentSource[];
  readonly publish: 'External';
  readonly fips: boolean;
  readonly cpuPartitioningMode: 'None' | 'AllNodes';
  readonly bootstrapInPlace?: { readonly installationDisk: string };
  readonly capabilities?: Capabilities;
  readonly featureSet: string;
  /** `Name=true` or `Name=false`. */
  readonly featureGates: readonly string[];
  readonly osImageStream?: string;
  readonly pki?: unknown;
}

/** `controlPlane`, or an entry of `compute`. */
export interface MachinePool {
  readonly name: string;
  readonly replicas: number;
  readonly architecture: 'amd64' | 'arm64' | 'ppc64le' | 's390x';
  readonly hyperthreading: 'Enabled' | 'Disabled';
}

/** `networking`: networks in CIDR notation, of one family or of both. */
export interface Networking {
  readonly networkType: string;
  readonly machineNetwork: readonly { readonly cidr: string }[];
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly ovnKubernetesConfig?: { readonly ipv4?: { readonly internalJoinSubnet?: string } };
}

/** URLs of proxies, and comma-separated what is reached without them. */
export interface ProxyConfig {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** A repository, and those that hold the same images, in the order in which they are tried. */
export interface ImageContentSource {
  readonly source: string;
  readonly mirrors: readonly string[];
}

/** The same for images that are named by their digest. */
export interface ImageDigestSource extends ImageContentSource {
  readonly sourcePolicy?: 'NeverContactSource' | 'AllowContactingSource';
}

/** A set by name, and components beside it. */
export interface Capabilities {
  readonly baselineCapabilitySet: string;
  readonly additionalEnabledCapabilities: readonly string[];
}
