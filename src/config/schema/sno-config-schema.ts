import { z } from 'zod';

import { defaultReleaseVersion, releases } from '../../release/releases.js';
import type { AioControlPlane, AioMachine } from './aio-model.js';
import { aio, controlPlaneFields } from './aio-schema.js';
import { network, networkExample } from './network-schema.js';
import type { NetworkDescription } from './network-model.js';
import { replaceableSigners, type ReplaceableSigner } from './replaceable-signers.js';
import { optional, required } from './schema-parts.js';

const controlPlane = z.strictObject({
  render: optional(
    z.enum(['Installer', 'Release']),
    `Who makes the first control plane: \`Release\`, the operators of the release, on the node, or \`Installer\`, sno-install itself, for releases from ${releases.firstWith(({ offersInstaller }) => offersInstaller).version.text} on. Omitted means Release.`,
    { examples: ['Release'] },
  ),
  ...controlPlaneFields,
});

const authority = z.strictObject({
  certificate: required(
    z.string(),
    'Where its certificate stands, in PEM, and behind it those above it up to the root: a path relative to the directory of the config, `env:NAME` or `-`.',
    { examples: ['authority.pem'] },
  ),
  key: required(
    z.string(),
    'Where its private key stands, in PEM and not encrypted, in the same way. It is read in each run and kept nowhere.',
    { examples: ['env:AUTHORITY_KEY'] },
  ),
  signs: optional(
    z.array(z.enum(replaceableSigners).meta({ description: 'A signer by the name of its file.' })),
    'The signers that it issues. Omitted means all of them.',
    { examples: [['kube-apiserver-lb-signer']] },
  ),
});

const certificates = z.strictObject({
  validity: optional(
    z.string(),
    'How long the certificates hold that the live system needs, as `720h`, `30d` or `1y`: from 24h to 10y. The ISO cannot be booted later.',
    { default: '30d' },
  ),
  backdate: optional(
    z.string(),
    'How far before the clock certificates start, for nodes whose clock is behind: at most 24h.',
    { default: '1h' },
  ),
  keyAlgorithm: optional(
    z.enum(['RSA-2048', 'RSA-3072', 'RSA-4096', 'ECDSA-P256', 'ECDSA-P384']),
    'Algorithm and size of all keys but those that sign service account tokens, which stay RSA. With the feature ConfigurablePKI `pki` of install-config.yaml decides those of the authorities, and RSA-4096 is their default.',
    { default: 'RSA-2048' },
  ),
  authority: optional(
    authority,
    'An authority of yours, below which the signers of the cluster stand. Omitted means that each signs itself.',
    { examples: [{ certificate: 'authority.pem', key: 'env:AUTHORITY_KEY' }] },
  ),
});

const gracefulShutdown = z.strictObject({
  total: required(z.string(), 'How long the node waits for its pods to end, as `60s` or `5m`.', {
    examples: ['60s'],
  }),
  criticalPods: required(z.string(), 'The part of it that is kept for critical pods, which end last.', {
    examples: ['10s'],
  }),
});

const report = z.strictObject({
  url: required(
    z.string(),
    'Where the node tells how far it is: an `https` URL. Reports are posted to `/report` below it, with a token of the site.',
    { examples: ['https://boot.example.com:8443'] },
  ),
  caBundle: optional(
    z.string(),
    'Certificates in PEM of the authorities that the server of reports is believed by. Omitted means those of the operating system and of `additionalTrustBundle`.',
  ),
});

/** Schema of sno-config.yaml: settings of the node that install-config.yaml does not have. Rules check the values. */
export const snoConfigSchema = z
  .strictObject({
    apiVersion: required(z.string(), 'Version of the format: `sno-install/v1alpha1`.', {
      examples: ['sno-install/v1alpha1'],
    }),
    kind: required(z.string(), 'Always `SingleNodeConfig`.', { examples: ['SingleNodeConfig'] }),
    hostname: optional(
      z.string(),
      'Name of the node, set before anything else runs. Omitted means that DHCP or DNS gives it.',
      { examples: ['sno.example.com'] },
    ),
    nodeIP: optional(
      z.string(),
      'Address of the node, in one of the machine networks. Omitted means the first address of the node that stands in one.',
    ),
    pullSecretFile: optional(
      z.string(),
      'Where the pull secret stands, which install-config.yaml then leaves out: a path relative to the directory of the config, `env:NAME` for an environment variable, or `-` for stdin.',
      { examples: ['pull-secret.json', 'env:PULL_SECRET', '-'] },
    ),
    sshKeyFile: optional(z.string(), 'The same for `sshKey`: a file of public keys, one on a line.', {
      examples: ['id_ed25519.pub'],
    }),
    releaseImage: optional(
      z.string(),
      'Pull spec of the release payload, by tag or by digest. Omitted means the release that sno-install was made for.',
      {
        examples: [
          `quay.io/openshift-release-dev/ocp-release:${defaultReleaseVersion}-x86_64`,
          `quay.io/okd/scos-release:${defaultReleaseVersion}-okd-scos.8`,
        ],
      },
    ),
    releaseVersion: optional(
      z.string(),
      `Version of the payload as \`4.18\` or \`4.18.3\`, when its pull spec does not say it. A version of OKD, as \`${defaultReleaseVersion}-okd-scos.8\`, also says that the payload is one of OKD.`,
      { examples: [defaultReleaseVersion] },
    ),
    imageReferences: optional(
      z.string(),
      'Path of the image-references file of the payload: an ImageStream, as `oc adm release info` gives it.',
      { examples: ['image-references.json'] },
    ),
    controlPlane: optional(controlPlane, 'How the first control plane comes to be.'),
    aio: optional(aio, 'The machine of create aio-ignition.'),
    certificates: optional(certificates, 'Certificates of the live system.'),
    kubelet: optional(
      z.strictObject({
        gracefulShutdown: optional(gracefulShutdown, 'How the node lets its pods end before it shuts down.'),
      }),
      'Settings of the kubelet of the installed node.',
    ),
    dns: optional(
      z.strictObject({
        local: optional(
          z.boolean(),
          'Whether the node answers for `api`, `api-int` and `*.apps` itself, for places without a DNS server of yours. Needs `nodeIP`.',
          { default: false },
        ),
        apiCheck: optional(
          z.enum(['Address', 'Reachable', 'None']),
          'What is checked of the names `api`, `api-int` and `*.apps` before the disk is written. `Address`: they resolve to the address of the node. `Reachable`, for a load balancer or NAT: they resolve, and the API server of the bootstrap answers at `api-int` from the node. `None`: nothing.',
          { default: 'Address' },
        ),
      }),
      'Name resolution of the node.',
    ),
    network: optional(
      network,
      "The node's network, in the live system and after the reboot: interfaces, name servers and routes as nmstate writes them, or profiles of NetworkManager. Omitted means DHCP on every interface.",
      { examples: [networkExample] },
    ),
    ntpSources: optional(
      z.array(z.string().meta({ description: 'Name or address of a time server.' })),
      'Time servers of the node and of workers. Omitted means those of the operating system.',
      { default: [], examples: [['ntp.example.com']] },
    ),
    kernelArguments: optional(
      z.array(z.string().meta({ description: 'One argument, such as `console=ttyS0`.' })),
      'Arguments for the kernel of the installed node.',
      { default: [], examples: [['console=ttyS0']] },
    ),
    reinstall: optional(
      z.enum(['Refuse', 'SameCluster', 'Always']),
      'What becomes of a disk that holds something already. `Refuse`: an installation of this very cluster is left alone until somebody allows it on the node. `SameCluster`: it is destroyed and installed anew, unattended; a machine that boots the live medium first after the reboot then installs again without end. `Always`: as `SameCluster`, and what is active on the disk (mounts, swap, LVM, RAID, encryption) is taken down first. Both destroy a cluster in use when the live medium is booted by mistake.',
      { default: 'Refuse' },
    ),
    report: optional(
      report,
      'Has the node report the stages of its installation, by name and time, from the live system until the cluster is complete. Omitted means that it reports nothing.',
      { examples: [{ url: 'https://boot.example.com:8443' }] },
    ),
    extraManifests: optional(
      z.array(z.string().meta({ description: 'Path of a manifest or of a folder of manifests.' })),
      'Manifests of yours to install with the cluster; paths relative to the directory of the config.',
      { default: [], examples: [['extra']] },
    ),
    state: optional(
      z.strictObject({
        recipients: optional(
          z.array(z.string().meta({ description: 'A recipient, as `age-keygen -y` prints it: `age1…`.' })),
          'To whom the state file is encrypted. With any, it is never written as plain text.',
          { default: [], examples: [['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p']] },
        ),
        encryptOutputs: optional(
          z.boolean(),
          'Whether Ignition configs and what lies in `auth/` are written encrypted as the state file is, as `NAME.age`. Omitted means as the last run did.',
          { examples: [true] },
        ),
      }),
      'How the state file is kept, which holds every key of the cluster.',
    ),
  })
  .meta({
    title: 'sno-config.yaml',
    description: 'What a single node needs and install-config.yaml cannot say. The file may be absent.',
  });

/** sno-config.yaml as written by the user. */
export type SnoConfigInput = z.output<typeof snoConfigSchema>;

/** sno-config.yaml with defaults. */
export interface SnoConfig {
  /** The user's hostname, else the one in `network`. */
  readonly hostname?: string;
  /** The user's address, else the only static address of `network` in a machine network of the first family. */
  readonly nodeIP?: string;
  /** Pull spec of the release payload. */
  readonly releaseImage?: string;
  /** `<major>.<minor>` of the payload, such as `4.18`, if the pull spec does not contain it. */
  readonly releaseVersion?: string;
  /** Path of an ImageStream file from `oc adm release info`. */
  readonly imageReferences?: string;
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
  /** Absent if the node does not report. */
  readonly report?: { readonly url: string; readonly caBundle?: string };
  /** Paths of files or folders, relative to the directory. */
  readonly extraManifests: readonly string[];
  readonly state: {
    /** age recipients as written by the user; empty for a plaintext state file. */
    readonly recipients: readonly string[];
    /** If undefined, the same as in the last run. */
    readonly encryptOutputs?: boolean;
  };
}

export type KeyAlgorithm = 'RSA-2048' | 'RSA-3072' | 'RSA-4096' | 'ECDSA-P256' | 'ECDSA-P384';
