import { z } from 'zod';

import type { Redacted } from '../../core/redacted.js';
import type { Draft } from '../../formats/field-schema.js';
import { allCapabilities, capabilitySets } from '../../release/capability-sets.js';
import { computePoolSchema, controlPlaneSchema } from './machine-pool-schema.js';
import { networkingSchema } from './networking-schema.js';
import { notForSingleNode, optional, required } from './schema-parts.js';

/** Source: openshift/api config/v1 types_cluster_version.go, KnownClusterVersionCapabilities. */
const capability = z.enum(allCapabilities).meta({ description: 'An optional component of a cluster.' });
/** `capabilities`: the optional components of the cluster. */
const capabilities = z.strictObject({
  baselineCapabilitySet: required(
    z.enum(capabilitySets),
    'The baseline set: that of a release, everything (`vCurrent`), or `None`.',
  ),
  additionalEnabledCapabilities: optional(z.array(capability), 'Components to add to the set.', {
    default: [],
  }),
});

/** Source: openshift/api config/v1alpha1 types_pki.go. */
const signerKey = z.strictObject({
  algorithm: optional(z.enum(['RSA', 'ECDSA']), 'Algorithm of the keys.'),
  rsa: optional(
    z.strictObject({
      keySize: optional(z.int(), 'Size in bits: a multiple of 1024 from 2048 to 8192.'),
    }),
    'With algorithm RSA.',
  ),
  ecdsa: optional(
    z.strictObject({ curve: optional(z.enum(['P256', 'P384', 'P521']), 'The curve.') }),
    'With algorithm ECDSA.',
  ),
});

/** `pki`: the key algorithms of the CAs. */
const pki = z.strictObject({
  signerCertificates: optional(
    z.strictObject({ key: optional(signerKey, 'Algorithm and size of the keys.') }),
    'Keys of the certificate authorities that the installer generates.',
  ),
});

const texts = z.record(z.string(), z.string());

/** openshift-install reads only the name. Source: k8s.io/apimachinery pkg/apis/meta/v1 ObjectMeta */
const metadata = z.strictObject({
  name: required(
    z.string(),
    'Cluster name: lower-case letters, digits and "-", at most 54 characters. The first part of the cluster domain.',
  ),
  labels: optional(texts, 'Accepted and passed on, without effect.'),
  annotations: optional(texts, 'Accepted and passed on, without effect.'),
  namespace: optional(z.string(), 'Accepted and ignored.'),
  creationTimestamp: optional(z.unknown(), 'Accepted and ignored: older tools wrote `null` here.'),
});

const ignoredPlatform = (name: string): z.ZodOptional<typeof notForSingleNode> =>
  optional(
    notForSingleNode,
    `Platform ${name}. Not supported: a single node is installed on platform none or external.`,
  );

const platform = z.strictObject({
  none: optional(
    z.strictObject({}),
    'No platform integration: you provide machines, DNS and load balancing. Write `none: {}`.',
  ),
  aws: ignoredPlatform('AWS'),
  azure: ignoredPlatform('Azure'),
  baremetal: ignoredPlatform('bare metal with Ironic'),
  external: optional(
    z.strictObject({
      platformName: optional(z.string(), 'Name of the provider, for reports only.', {
        default: 'Unknown',
        examples: ['oci'],
      }),
      cloudControllerManager: optional(
        z.enum(['', 'External']),
        'Whether the nodes wait for a cloud controller manager: `External`. You add its manifests; without it, no pod is scheduled. Empty means that there is none.',
        { default: '' },
      ),
    }),
    'Platform of a partner cloud, of which OpenShift manages nothing: you provide machines, DNS, load balancing and the cloud controller manager.',
  ),
  gcp: ignoredPlatform('Google Cloud'),
  ibmcloud: ignoredPlatform('IBM Cloud'),
  nutanix: ignoredPlatform('Nutanix'),
  openstack: ignoredPlatform('OpenStack'),
  ovirt: ignoredPlatform('oVirt'),
  powervc: ignoredPlatform('PowerVC'),
  powervs: ignoredPlatform('Power VS'),
  vsphere: ignoredPlatform('vSphere'),
});

const proxy = z.strictObject({
  httpProxy: optional(
    z.string(),
    'URL of the proxy for HTTP, `http://user:password@host:port`. Percent-encode special characters.',
    { writeOnly: true },
  ),
  httpsProxy: optional(z.string(), 'URL of the proxy for HTTPS; its scheme may be http or https.', {
    writeOnly: true,
  }),
  noProxy: optional(
    z.string(),
    'Comma-separated domains, addresses and networks to reach without the proxy; `*` alone for everything. The networks of the cluster are added.',
  ),
});

const source = required(z.string(), 'The repository in the pull specs.');
const mirrors = optional(
  z.array(z.string().meta({ description: 'A repository with the same images.' })),
  'Repositories with the same images, tried in this order.',
);

const imageDigestSource = z.strictObject({
  source,
  mirrors,
  sourcePolicy: optional(
    z.enum(['NeverContactSource', 'AllowContactingSource']),
    'Whether an image that no mirror has may be pulled from the source.',
  ),
});

/**
 * Schema of install-config.yaml, version v1, as openshift-install reads it. Rules check the values.
 * Source: openshift/installer pkg/types/installconfig.go.
 */
export const installConfigSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `v1`.'),
    kind: optional(z.string(), 'Accepted and ignored.'),
    metadata: required(metadata, 'The cluster name, as `name: sno1`.'),
    baseDomain: required(
      z.string(),
      'Parent of the cluster domain `<metadata.name>.<baseDomain>`. Create DNS records for `api`, `api-int` and `*.apps` in the cluster domain.',
    ),
    pullSecret: required(
      z.string(),
      'Registry credentials, as JSON in single quotes: the pull secret from console.redhat.com, with the credentials of your mirrors. OKD needs none: `{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}`.',
      { writeOnly: true },
    ),
    sshKey: optional(
      z.string(),
      'SSH public keys for user core, one per line, as in an authorized_keys file.',
      { default: '' },
    ),
    controlPlane: optional(controlPlaneSchema, 'The control plane node.'),
    compute: optional(
      z.array(computePoolSchema),
      'Workers that join later. Omitted means none; openshift-install would assume three.',
      { default: [{ name: 'worker', replicas: 0 }] },
    ),
    arbiter: optional(notForSingleNode, 'Arbiter nodes. Not for a single node.'),
    networking: optional(networkingSchema, 'Networks of the node, of pods and of services.'),
    platform: required(platform, 'Platform of the cluster: `none: {}`, or `external` with its settings.'),
    proxy: optional(proxy, 'Proxy for the node and the cluster.'),
    additionalTrustBundle: optional(
      z.string(),
      'Additional CA certificates that the node trusts, concatenated in PEM.',
      { default: '' },
    ),
    additionalTrustBundlePolicy: optional(
      z.enum(['Proxyonly', 'Always']),
      'Whether the cluster-wide proxy configuration refers to the bundle only if a proxy is configured, or always.',
      { default: 'Proxyonly' },
    ),
    imageDigestSources: optional(
      z.array(imageDigestSource),
      'Mirrors to pull images from, for a disconnected installation.',
      { default: [] },
    ),
    imageContentSources: optional(
      z.array(z.strictObject({ source, mirrors })),
      'Old form of `imageDigestSources`.',
      {
        default: [],
        deprecated: true,
      },
    ),
    publish: optional(
      z.enum(['External', 'Internal', 'Mixed']),
      'Visibility of the API and the router. Only External is supported on platform none.',
      { default: 'External' },
    ),
    operatorPublishingStrategy: optional(notForSingleNode, 'Only for publish Mixed on Azure.'),
    fips: optional(z.boolean(), 'Whether the node runs in FIPS mode. Cannot be changed later.', {
      default: false,
    }),
    cpuPartitioningMode: optional(
      z.enum(['None', 'AllNodes']),
      'Whether the cluster is prepared for workload partitioning, which runs platform pods on reserved CPUs. Cannot be changed later.',
      { default: 'None' },
    ),
    credentialsMode: optional(
      z.string(),
      'Mode of the cloud credential operator. Not supported on platform none.',
    ),
    bootstrapInPlace: optional(
      z.strictObject({
        installationDisk: required(
          z.string(),
          'Installation disk; its contents are destroyed. `rootDeviceHints` of sno-config.yaml can describe it instead; leave out bootstrapInPlace then. Prefer a path below `/dev/disk/by-id/`, which names the same disk at every boot.',
        ),
      }),
      'Installation of a single node without a bootstrap machine. Left out if `rootDeviceHints` of sno-config.yaml describe the disk.',
    ),
    capabilities: optional(capabilities, 'Optional components of the cluster. Omitted means all.'),
    featureSet: optional(
      z.enum(['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade', 'CustomNoUpgrade', 'OKD']),
      'Enables features that are not generally available. Such a cluster cannot be upgraded. `OKD` is the default of OKD releases, which can be upgraded.',
      { default: '' },
    ),
    featureGates: optional(
      z.array(z.string().meta({ description: 'A feature gate: `Name=true` or `Name=false`.' })),
      'Individual feature gates, with featureSet CustomNoUpgrade.',
      { default: [] },
    ),
    osImageStream: optional(
      z.enum(['rhel-9', 'rhel-10']),
      'Stream of operating system images. Omitted means the default of the release.',
    ),
    pki: optional(pki, 'Keys of the certificates that the installer generates. Technology preview.'),
  })
  .meta({
    title: 'install-config.yaml',
    description: 'Configuration of the cluster, in the format of openshift-install.',
  });

/** install-config.yaml as written by the user. */
export type InstallConfigInput = z.output<typeof installConfigSchema>;

/** install-config.yaml with defaults and without deprecated fields. The field names are upstream's. */
export interface InstallConfig {
  readonly metadata: { readonly name: string };
  /** Without a trailing dot. */
  readonly baseDomain: string;
  readonly pullSecret: Redacted<string>;
  /** One authorized key per line, its fields separated by one space; empty if not set. */
  readonly sshKey: string;
  readonly controlPlane: MachinePool;
  readonly compute: readonly MachinePool[];
  readonly networking: Networking;
  /** Empty on platform none. */
  readonly platform: { readonly external?: ExternalPlatform };
  readonly proxy?: ProxyConfig;
  /** Certificates in canonical PEM without text between them; empty if not set. */
  readonly additionalTrustBundle: string;
  readonly additionalTrustBundlePolicy: 'Proxyonly' | 'Always';
  readonly imageDigestSources: readonly ImageDigestSource[];
  /** Deprecated; never set together with imageDigestSources. */
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
  readonly pki?: Draft<InstallConfigInput>['pki'];
}

/** `controlPlane`, or an entry of `compute`. */
export interface MachinePool {
  readonly name: string;
  readonly replicas: number;
  readonly architecture: 'amd64' | 'arm64' | 'ppc64le' | 's390x';
  readonly hyperthreading: 'Enabled' | 'Disabled';
}

/** `networking`: IPv4, IPv6 or dual-stack networks in CIDR notation. */
export interface Networking {
  readonly networkType: string;
  readonly machineNetwork: readonly { readonly cidr: string }[];
  readonly clusterNetwork: readonly { readonly cidr: string; readonly hostPrefix: number }[];
  readonly serviceNetwork: readonly string[];
  readonly ovnKubernetesConfig?: { readonly ipv4?: { readonly internalJoinSubnet?: string } };
}

/** `platform.external`. Source: openshift/installer pkg/types/external */
export interface ExternalPlatform {
  readonly platformName: string;
  readonly cloudControllerManager: '' | 'External';
}

/** Proxy URLs, and a comma-separated list of exceptions. */
export interface ProxyConfig {
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
}

/** A repository and its mirrors, in the order of use. */
export interface ImageContentSource {
  readonly source: string;
  readonly mirrors: readonly string[];
}

/** Mirrors for images that are pulled by digest. */
export interface ImageDigestSource extends ImageContentSource {
  readonly sourcePolicy?: 'NeverContactSource' | 'AllowContactingSource';
}

/** A baseline set and additional capabilities. */
export interface Capabilities {
  readonly baselineCapabilitySet: string;
  readonly additionalEnabledCapabilities: readonly string[];
}
