import { z } from 'zod';

import type { Redacted } from '../../core/redacted.js';
import type { Draft } from '../../formats/field-schema.js';
import { allCapabilities, capabilitySets } from '../../release/capability-sets.js';
import { computePoolSchema, controlPlaneSchema } from './machine-pool-schema.js';
import { networkingSchema } from './networking-schema.js';
import { notForSingleNode, optional, required } from './schema-parts.js';

/** Source: openshift/api config/v1 types_cluster_version.go, KnownClusterVersionCapabilities. */
const capability = z
  .enum(allCapabilities)
  .meta({ description: 'A component that can be left out of a cluster.' });
/** `capabilities`: the optional components of the cluster. */
const capabilities = z.strictObject({
  baselineCapabilitySet: required(
    z.enum(capabilitySets),
    'The set to start from: what a release had, everything (`vCurrent`), or `None`.',
  ),
  additionalEnabledCapabilities: optional(z.array(capability), 'Components to add to the set.', {
    default: [],
  }),
});

/** Source: openshift/api config/v1alpha1 types_pki.go. */
const signerKey = z.strictObject({
  algorithm: optional(z.enum(['RSA', 'ECDSA']), 'Which of the two the keys are.'),
  rsa: optional(
    z.strictObject({
      keySize: optional(z.int(), 'Bits: a multiple of 1024 from 2048 to 8192.'),
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
    'The keys of the certificate authorities that the installer makes.',
  ),
});

const texts = z.record(z.string(), z.string());

/** openshift-install reads only the name. Source: k8s.io/apimachinery pkg/apis/meta/v1 ObjectMeta */
const metadata = z.strictObject({
  name: required(
    z.string(),
    'Name of the cluster: lower-case letters, digits and "-", at most 54 characters. The first part of the cluster domain.',
  ),
  labels: optional(texts, 'Accepted and passed on; nothing reads them.'),
  annotations: optional(texts, 'Accepted and passed on; nothing reads them.'),
  namespace: optional(z.string(), 'Accepted and ignored.'),
  creationTimestamp: optional(z.unknown(), 'Accepted and ignored: older tools wrote `null` here.'),
});

const ignoredPlatform = (name: string): z.ZodOptional<typeof notForSingleNode> =>
  optional(notForSingleNode, `Platform ${name}. Not supported: a single node is installed on platform none.`);

const platform = z.strictObject({
  none: optional(
    z.strictObject({}),
    'No integration with a platform: machines, DNS and load balancing are yours. Write `none: {}`.',
  ),
  aws: ignoredPlatform('AWS'),
  azure: ignoredPlatform('Azure'),
  baremetal: ignoredPlatform('bare metal with Ironic'),
  external: ignoredPlatform('External'),
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
    'URL of the proxy for HTTP, `http://user:password@host:port`. Characters with a meaning in URLs are written with "%".',
    { writeOnly: true },
  ),
  httpsProxy: optional(z.string(), 'URL of the proxy for HTTPS; its scheme may be http or https.', {
    writeOnly: true,
  }),
  noProxy: optional(
    z.string(),
    'What is reached without proxy: domains, addresses and networks, with commas in between; `*` alone for everything. The networks of the cluster are added.',
  ),
});

const source = required(z.string(), 'The repository that images are asked for under.');
const mirrors = optional(
  z.array(z.string().meta({ description: 'A repository that holds the same images.' })),
  'Repositories that hold the same images, tried in this order.',
);

const imageDigestSource = z.strictObject({
  source,
  mirrors,
  sourcePolicy: optional(
    z.enum(['NeverContactSource', 'AllowContactingSource']),
    'Whether the source itself is asked when no mirror has an image.',
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
    metadata: required(metadata, 'Names the cluster.'),
    baseDomain: required(
      z.string(),
      'The domain that the cluster domain stands in: `<metadata.name>.<baseDomain>`. You make DNS records for `api`, `api-int` and `*.apps` below it.',
    ),
    pullSecret: required(
      z.string(),
      'Credentials of the registries, as JSON in single quotes: what console.redhat.com hands out, with those of your mirrors. OKD needs none: `{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}`.',
      { writeOnly: true },
    ),
    sshKey: optional(
      z.string(),
      'Public SSH keys that may log in as user core, one a line, in the form of an authorized_keys file.',
      { default: '' },
    ),
    controlPlane: optional(controlPlaneSchema, 'The one node.'),
    compute: optional(
      z.array(computePoolSchema),
      'Workers to come. Omitted means none, where openshift-install takes it for three.',
      { default: [{ name: 'worker', replicas: 0 }] },
    ),
    arbiter: optional(notForSingleNode, 'Arbiter nodes. Not for a single node.'),
    networking: optional(networkingSchema, 'Networks of the node, of pods and of services.'),
    platform: required(platform, 'Where the cluster runs: exactly `none: {}`.'),
    proxy: optional(proxy, 'The proxy that the node and the cluster go through.'),
    additionalTrustBundle: optional(
      z.string(),
      'Certificates of authorities that the node trusts too, PEM one after the other.',
      { default: '' },
    ),
    additionalTrustBundlePolicy: optional(
      z.enum(['Proxyonly', 'Always']),
      'Whether the cluster-wide proxy configuration names the bundle only when there is a proxy, or always.',
      { default: 'Proxyonly' },
    ),
    imageDigestSources: optional(
      z.array(imageDigestSource),
      'Mirrors to pull images from, for an installation without the internet.',
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
      'Who may reach the API and the router. Only External on platform none, where DNS is yours.',
      { default: 'External' },
    ),
    operatorPublishingStrategy: optional(notForSingleNode, 'Only with publish Mixed, which is for Azure.'),
    fips: optional(
      z.boolean(),
      'Whether the node runs in FIPS mode, with validated cryptography only. Cannot be changed later.',
      { default: false },
    ),
    cpuPartitioningMode: optional(
      z.enum(['None', 'AllNodes']),
      'Whether the cluster is made for workload partitioning, which keeps platform pods on reserved processors. Cannot be changed later.',
      { default: 'None' },
    ),
    credentialsMode: optional(z.string(), 'How operators get cloud credentials. Not on platform none.'),
    bootstrapInPlace: optional(
      z.strictObject({
        installationDisk: required(
          z.string(),
          'The disk that the node is installed to; everything on it is lost. Best one of `/dev/disk/by-id/`, which means the same disk on every boot.',
        ),
      }),
      'Installation of a single node without a bootstrap machine.',
    ),
    capabilities: optional(capabilities, 'Which optional components the cluster has. Omitted means all.'),
    featureSet: optional(
      z.enum(['TechPreviewNoUpgrade', 'DevPreviewNoUpgrade', 'CustomNoUpgrade', 'OKD']),
      'Turns on features that are not finished. Such a cluster cannot be upgraded. `OKD` is for releases of OKD, which have it when none is given, and can be upgraded.',
      { default: '' },
    ),
    featureGates: optional(
      z.array(z.string().meta({ description: 'A feature and whether it is on: `Name=true`.' })),
      'Single features, with featureSet CustomNoUpgrade.',
      { default: [] },
    ),
    osImageStream: optional(
      z.enum(['rhel-9', 'rhel-10']),
      'The stream of operating system images. Omitted leaves the choice to the release.',
    ),
    pki: optional(pki, 'Keys of the certificates that the installer makes. Technology preview.'),
  })
  .meta({
    title: 'install-config.yaml',
    description: 'What cluster to install, as openshift-install reads it.',
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
