import { z } from 'zod';

import { defaultReleaseVersion, releases } from '../../release/releases.js';
import type { Draft } from '../../formats/field-schema.js';
import type { AioControlPlane, AioMachine } from './aio-model.js';
import { aio, controlPlaneFields } from './aio-schema.js';
import { network, networkExample } from './network-schema.js';
import type { NetworkDescription } from './network-model.js';
import {
  coreosInstaller,
  rootDeviceHints,
  type CoreosInstaller,
  type RootDeviceHints,
} from './disk-schema.js';
import { replaceableSigners, type ReplaceableSigner } from './replaceable-signers.js';
import { diskEncryption, type DiskEncryption } from './disk-encryption-schema.js';
import { optional, required } from './schema-parts.js';

const controlPlane = z.strictObject({
  render: optional(
    z.enum(['Installer', 'Release']),
    `Renderer of the first control plane: \`Release\` (the operators of the release, on the node) or \`Installer\` (sno-install itself), for releases from ${releases.firstWith(({ offersInstaller }) => offersInstaller).version.text} on. Omitted means Release.`,
    { examples: ['Release'] },
  ),
  ...controlPlaneFields,
});

const authority = z.strictObject({
  certificate: required(
    z.string(),
    'Its PEM certificate, followed by its chain up to the root: a path relative to the directory of the config, `env:NAME` or `-`.',
    { examples: ['authority.pem'] },
  ),
  key: required(
    z.string(),
    'Its unencrypted PEM private key, given in the same way. It is read in each run and never stored.',
    { examples: ['env:AUTHORITY_KEY'] },
  ),
  signs: optional(
    z.array(z.enum(replaceableSigners).meta({ description: 'File base name of a signer.' })),
    'The signers to issue from this CA. Omitted means all.',
    { examples: [['kube-apiserver-lb-signer']] },
  ),
});

const certificates = z.strictObject({
  validity: optional(
    z.string(),
    'Lifetime of the certificates that the live system needs, such as `720h`, `30d` or `1y`: 24h to 10y. The ISO cannot be booted after they expire.',
    { default: '30d' },
  ),
  backdate: optional(
    z.string(),
    'Time before the current clock at which certificates become valid, for nodes whose clock is behind: at most 24h.',
    { default: '1h' },
  ),
  keyAlgorithm: optional(
    z.enum(['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384']),
    'Algorithm and size of all keys, except service account signing keys, which are always RSA. With the feature gate ConfigurablePKI, the keys of CAs are set by `pki` of install-config.yaml and default to RSA-4096.',
    { default: 'RSA-2048' },
  ),
  authority: optional(
    authority,
    'Your CA, which issues the signers of the cluster. Omitted means self-signed signers.',
    { examples: [{ certificate: 'authority.pem', key: 'env:AUTHORITY_KEY' }] },
  ),
});

const gracefulShutdown = z.strictObject({
  total: required(z.string(), 'Time that the node waits for its pods to terminate, such as `60s` or `5m`.', {
    examples: ['60s'],
  }),
  criticalPods: required(
    z.string(),
    'The part of it that is reserved for critical pods, which terminate last.',
    {
      examples: ['10s'],
    },
  ),
});

const report = z.strictObject({
  url: required(
    z.string(),
    '`https` URL of the server that receives progress reports. The node posts them to `/report` below it, with the token of the site.',
    { examples: ['https://boot.example.com:8443'] },
  ),
  caBundle: optional(
    z.string(),
    'CA certificates in PEM that the certificate of the report server is verified with. Omitted means those of the operating system and of `additionalTrustBundle`.',
  ),
});

const payload = z.strictObject({
  file: required(
    z.string(),
    'Path of the payload, relative to the directory of the config. Only its manifest is read, the file of the same name with `.json` behind it; the medium of the node carries the payload itself.',
    { examples: ['../4.22.0-x86_64.payload'] },
  ),
  verify: optional(
    z.enum(['Manifest', 'Full']),
    'Check of the payload before the node uses it. `Manifest`: its size and the list of its images. `Full`: also the SHA-256 of the whole file, which takes as long as reading it once.',
    { default: 'Manifest' },
  ),
  keep: optional(
    z.boolean(),
    'Whether the payload stays on the disk of the node. `false` is refused: the payload is the only source of the images of the cluster.',
    { default: true },
  ),
});

/** Schema of sno-config.yaml: settings of the node that install-config.yaml does not have. Rules check the values. */
export const snoConfigSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.', {
      examples: ['sno-install/v1alpha1'],
    }),
    kind: required(z.string(), 'Always `SingleNodeConfig`.', { examples: ['SingleNodeConfig'] }),
    hostname: optional(z.string(), 'Hostname of the node. Omitted means the name from DHCP or DNS.', {
      examples: ['sno.example.com'],
    }),
    nodeIP: optional(
      z.string(),
      'IP address of the node, in one of the machine networks. Omitted means the first address of the node in one of them.',
    ),
    nodeLabels: optional(
      z.record(z.string(), z.string().meta({ description: 'Value of the label; may be empty.' })),
      `Labels of the node, which the kubelet sets when the node joins: for releases from ${releases.firstWith(({ hasKubeletLabels }) => hasKubeletLabels).version.text} on. Of the domains kubernetes.io and k8s.io it can set only \`topology.kubernetes.io/zone\`, \`topology.kubernetes.io/region\`, \`node.kubernetes.io/…\` and \`kubelet.kubernetes.io/…\`.`,
      { default: {}, examples: [{ 'topology.kubernetes.io/zone': 'rack-1' }] },
    ),
    pullSecretFile: optional(
      z.string(),
      'Source of the pull secret, instead of `pullSecret` in install-config.yaml: a path relative to the directory of the config, `env:NAME` for an environment variable, or `-` for stdin.',
      { examples: ['pull-secret.json', 'env:PULL_SECRET', '-'] },
    ),
    sshKeyFile: optional(
      z.string(),
      'Source of `sshKey`, given in the same way: public keys, one per line.',
      {
        examples: ['id_ed25519.pub'],
      },
    ),
    releaseImage: optional(
      z.string(),
      'Pull spec of the release payload, by tag or by digest. Omitted means the default release of sno-install.',
      {
        examples: [
          `quay.io/openshift-release-dev/ocp-release:${defaultReleaseVersion}-x86_64`,
          `quay.io/okd/scos-release:${defaultReleaseVersion}-okd-scos.8`,
        ],
      },
    ),
    releaseVersion: optional(
      z.string(),
      `Version of the payload, such as \`4.18\` or \`4.18.3\`, if its pull spec does not contain it. An OKD version such as \`${defaultReleaseVersion}-okd-scos.8\` also marks the payload as OKD.`,
      { examples: [defaultReleaseVersion] },
    ),
    imageReferences: optional(
      z.string(),
      'Path of the image-references file of the payload: an ImageStream, as printed by `oc adm release info`.',
      { examples: ['image-references.json'] },
    ),
    payload: optional(
      payload,
      'The payload from which the node installs without a registry, made by `create payload`. Omitted means that images are pulled from registries.',
      { examples: [{ file: '../4.22.0-x86_64.payload' }] },
    ),
    controlPlane: optional(controlPlane, 'Settings of the first control plane.'),
    aio: optional(aio, 'Settings of the machine for create aio-ignition.'),
    certificates: optional(certificates, 'Certificates of the live system.'),
    kubelet: optional(
      z.strictObject({
        gracefulShutdown: optional(
          gracefulShutdown,
          'Graceful shutdown: time for pods to terminate before the node shuts down.',
        ),
      }),
      'Settings of the kubelet of the installed node.',
    ),
    dns: optional(
      z.strictObject({
        local: optional(
          z.boolean(),
          'Whether the node resolves `api`, `api-int` and `*.apps` itself, for sites without a DNS server. Needs `nodeIP`.',
          { default: false },
        ),
        apiCheck: optional(
          z.enum(['Address', 'Reachable', 'None']),
          'DNS check of `api`, `api-int` and `*.apps` before the disk is written. `Address`: they resolve to the address of the node. `Reachable`, for a load balancer or NAT: they resolve, and the bootstrap API server answers at `api-int` from the node. `None`: no check.',
          { default: 'Address' },
        ),
      }),
      'Name resolution of the node.',
    ),
    network: optional(
      network,
      'Network of the node, in the live system and after installation: interfaces, name servers and routes in nmstate format, or NetworkManager keyfiles. Omitted means DHCP on every interface.',
      { examples: [networkExample] },
    ),
    ntpSources: optional(
      z.array(z.string().meta({ description: 'Name or address of a time server.' })),
      'Time servers of the node and of workers. Omitted means those of the operating system.',
      { default: [], examples: [['ntp.example.com']] },
    ),
    kernelArguments: optional(
      z.array(z.string().meta({ description: 'One argument, such as `console=ttyS0`.' })),
      'Arguments for the kernel of the installed node, in a MachineConfig. See `coreosInstaller.appendKernelArguments` for arguments that are needed at the first boot.',
      { default: [], examples: [['console=ttyS0']] },
    ),
    rootDeviceHints: optional(
      rootDeviceHints,
      'Description of the installation disk, instead of `bootstrapInPlace.installationDisk` in install-config.yaml. The node installs to the one disk that all hints match; its contents are destroyed. Texts are compared without regard to case.',
      { examples: [{ serialNumber: 'S6ESNX0R100123' }] },
    ),
    coreosInstaller: optional(
      coreosInstaller,
      'Arguments of coreos-installer, which writes the disk. `--copy-network` is always among them.',
    ),
    diskEncryption: optional(
      diskEncryption,
      'Encryption of the root file system of the installed node (LUKS). Its first boot encrypts it; partitions that are kept and disks of your MachineConfigs are not encrypted. Omitted means no encryption.',
      { examples: [{ tpm2: true }] },
    ),
    reinstall: optional(
      z.enum(['Refuse', 'SameCluster', 'Always']),
      'Handling of a disk that is not empty. `Refuse`: an existing installation of the same cluster is kept until an administrator allows overwriting it on the node. `SameCluster`: it is overwritten without asking; a machine that boots the live medium first after the reboot then reinstalls in a loop. `Always`: as `SameCluster`, and active uses of the disk (mounts, swap, LVM, RAID, encryption) are stopped first. Both destroy a running cluster if the live medium is booted by mistake.',
      { default: 'Refuse' },
    ),
    report: optional(
      report,
      'Progress reports: the node sends the name and time of each installation stage until the cluster is complete. Omitted means no reports.',
      { examples: [{ url: 'https://boot.example.com:8443' }] },
    ),
    manifestChecks: optional(
      z.enum(['error', 'warn']),
      'Severity of fields that do not fit the API of the release (`manifest/schema`). `warn` writes the objects nevertheless.',
      { default: 'error' },
    ),
    extraManifests: optional(
      z.array(z.string().meta({ description: 'Path of a manifest or of a folder of manifests.' })),
      'Your manifests to install with the cluster; paths relative to the directory of the config.',
      { default: [], examples: [['extra']] },
    ),
    postInstallTimeout: optional(
      z.string(),
      'Time that the node waits in each wave of post-install/ for the kinds of its objects, such as `90m` or `2h`: 1m to 24h.',
      { default: '60m' },
    ),
    state: optional(
      z.strictObject({
        recipients: optional(
          z.array(z.string().meta({ description: 'A recipient, as `age-keygen -y` prints it: `age1…`.' })),
          'age recipients that the state file is encrypted to. With at least one, it is never written as plain text.',
          { default: [], examples: [['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']] },
        ),
        encryptOutputs: optional(
          z.boolean(),
          'Whether Ignition configs and the files in `auth/` are also encrypted, as `NAME.age`. Omitted means as in the last run.',
          { examples: [true] },
        ),
      }),
      'Encryption of the state file, which contains every key of the cluster.',
    ),
  })
  .meta({
    title: 'sno-config.yaml',
    description: 'Single-node settings that install-config.yaml does not have. The file is optional.',
  });

/** sno-config.yaml as written by the user. */
export type SnoConfigInput = z.output<typeof snoConfigSchema>;

/** sno-config.yaml with defaults. */
export interface SnoConfig {
  /** The user's hostname, else the one in `network`. */
  readonly hostname?: string;
  /** The user's address, else the only static address of `network` in a machine network of the first family. */
  readonly nodeIP?: string;
  /** Labels that the kubelet sets at registration. */
  readonly nodeLabels: Readonly<Record<string, string>>;
  /** Pull spec of the release payload. */
  readonly releaseImage?: string;
  /** `<major>.<minor>` of the payload, such as `4.18`, if the pull spec does not contain it. */
  readonly releaseVersion?: string;
  /** Path of an ImageStream file from `oc adm release info`. */
  readonly imageReferences?: string;
  /** Absent if images are pulled from registries. */
  readonly payload?: {
    readonly file: string;
    readonly verify: 'Manifest' | 'Full';
    readonly keep: boolean;
  };
  readonly controlPlane: AioControlPlane & {
    /** The user's choice; `controlPlaneRender` checks whether it is available. */
    readonly render: 'Installer' | 'Release';
  };
  readonly aio: AioMachine;
  readonly certificates: {
    /** Validity of the certificates for the live phase. */
    readonly validitySeconds: number;
    /** Interval between `notBefore` and the clock, to tolerate clock skew of the node. */
    readonly backdateSeconds: number;
    readonly keyAlgorithm: KeyAlgorithm;
    /** Absent if signers are self-signed. */
    readonly authority?: {
      /** References as written by the user. */
      readonly certificate: string;
      readonly key: string;
      readonly signs: readonly ReplaceableSigner[];
    };
  };
  readonly kubelet: {
    /** Disabled if undefined. */
    readonly gracefulShutdown?: { readonly totalSeconds: number; readonly criticalPodsSeconds: number };
  };
  readonly dns: { readonly local: boolean; readonly apiCheck: 'Address' | 'Reachable' | 'None' };
  /** As written by the user, without defaults: src/config/network applies them. */
  readonly network?: NetworkDescription;
  readonly ntpSources: readonly string[];
  /** Behavior if the installation disk is not empty. */
  readonly reinstall: 'Refuse' | 'SameCluster' | 'Always';
  readonly kernelArguments: readonly string[];
  /** Absent if install-config.yaml names the disk. */
  readonly rootDeviceHints?: Draft<RootDeviceHints>;
  readonly coreosInstaller: CoreosInstaller;
  /** Absent if the disk is not encrypted. */
  readonly diskEncryption?: DiskEncryption;
  /** Absent if the node does not report. */
  readonly report?: { readonly url: string; readonly caBundle?: string };
  /** Paths of files or folders, relative to the directory. */
  readonly extraManifests: readonly string[];
  /** Severity of `manifest/schema`. */
  readonly manifestChecks: 'error' | 'warn';
  /** Limit of a wave of post-install/. */
  readonly postInstallTimeoutSeconds: number;
  readonly state: {
    /** age recipients as written by the user; empty for a plaintext state file. */
    readonly recipients: readonly string[];
    /** If undefined, the same as in the last run. */
    readonly encryptOutputs?: boolean;
  };
}

export type KeyAlgorithm = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';
