import { parseCidr, type Family } from '../formats/cidr.js';
import { writeScalar, writeYamlInOrder } from '../formats/yaml/write-yaml.js';

/**
 * Answers to the questions of `create install-config`. A missing answer becomes a placeholder, which the checks reject; a missing disk is
 * commented out, because rootDeviceHints of sno-config.yaml may describe it.
 */
export interface InstallConfigAnswers {
  readonly name?: string;
  readonly baseDomain?: string;
  /** JSON; if missing, the user pastes it into the file. */
  readonly pullSecret?: string;
  /** The file that pullSecretFile of sno-config.yaml names; replaces `pullSecret`. */
  readonly namedPullSecret?: string;
  /** Authorized keys, one per line. */
  readonly sshKey?: string;
  readonly installationDisk?: string;
  /** In CIDR notation. The defaults of the other two networks have the same address families. */
  readonly machineNetwork?: readonly string[];
  readonly clusterNetwork?: readonly string[];
  readonly serviceNetwork?: readonly string[];
  readonly httpProxy?: string;
  readonly httpsProxy?: string;
  readonly noProxy?: string;
  /** Certificates in PEM. */
  readonly additionalTrustBundle?: string;
  readonly mirror?: readonly { readonly source: string; readonly mirror: string }[];
  readonly architecture?: 'amd64' | 'arm64' | 'ppc64le' | 's390x';
}

/**
 * An install-config.yaml for a single node with a comment for each field. It is valid once it has a
 * pull secret. Answers are quoted but not validated here.
 */
export function commentedInstallConfig(answers: InstallConfigAnswers): string {
  const { name, baseDomain, installationDisk, architecture = 'amd64' } = answers;
  const { machineNetwork = ['<network of the node, as address/prefix>'] } = answers;
  const standard = [...new Set(machineNetwork.map(familyOf))].map((family) => defaultNetworks[family]);
  const { clusterNetwork = standard.map(({ cluster }) => cluster) } = answers;
  const { serviceNetwork = standard.map(({ service }) => service) } = answers;
  return `# Configuration of a single-node OpenShift cluster. openshift-install reads the same file.
# \`sno-install explain FIELD\` describes each field; \`sno-install validate\` checks the file.
apiVersion: v1

# The cluster domain is <metadata.name>.<baseDomain>. Create DNS records for api, api-int and *.apps in it that point
# to the node, or let the node resolve them itself: dns.local in sno-config.yaml.
metadata:
  name: ${oneLine(name ?? '<name of the cluster>')}
baseDomain: ${oneLine(baseDomain ?? '<base domain>')}

# One node, no workers.
controlPlane:
  name: master
  replicas: 1
  architecture: ${architecture}
compute:
  - name: worker
    replicas: 0
    architecture: ${architecture}

# Three networks that must not overlap: the network of the node, the pod network and the service network.
networking:
  networkType: OVNKubernetes
  machineNetwork:
${machineNetwork.map((cidr) => `    - cidr: ${oneLine(cidr)}\n`).join('')}  # hostPrefix: subnet of each node for its pods.
  clusterNetwork:
${clusterNetwork.map((cidr) => `    - cidr: ${oneLine(cidr)}\n      hostPrefix: ${defaultNetworks[familyOf(cidr)].hostPrefix}\n`).join('')}  serviceNetwork:
${serviceNetwork.map((cidr) => `    - ${oneLine(cidr)}\n`).join('')}
# No cloud: you provide the machine, network and DNS.
platform:
  none: {}

${diskField(installationDisk)}

${pullSecretField(answers)}
# SSH public keys for user core: one line per key, as in ~/.ssh/id_ed25519.pub.
${sshKeyField(answers.sshKey ?? '')}
${optionalFields(answers)}`;
}

function pullSecretField({ pullSecret, namedPullSecret }: InstallConfigAnswers): string {
  const source = 'https://console.redhat.com/openshift/install/pull-secret';
  const okd = `'{"auths":{"fake":{"auth":"aWQ6cGFzcwo="}}}'`;
  if (namedPullSecret !== undefined)
    return `# pullSecretFile in sno-config.yaml names the file with the registry credentials, ${namedPullSecret}:
# the JSON from ${source}
# OKD needs no account: write ${okd.slice(1, -1)} to the file, and set releaseImage in sno-config.yaml.
`;
  return `# The registry credentials from ${source}: one line of
# JSON in single quotes. It can also be read from a separate file: pullSecretFile in sno-config.yaml.
# OKD needs no account: write ${okd}, and set releaseImage in sno-config.yaml.
pullSecret: ${oneLine(pullSecret ?? '')}
`;
}

function diskField(disk: string | undefined): string {
  const text = `# The disk to install to. ITS CONTENTS ARE DESTROYED. Names below /dev/disk/by-id are persistent;
# \`ls -l /dev/disk/by-id\` in the live system lists them.`;
  if (disk !== undefined) return `${text}\nbootstrapInPlace:\n  installationDisk: ${oneLine(disk)}`;
  return `${text} Leave this out if rootDeviceHints in
# sno-config.yaml describe the disk: \`sno-install create sno-config --disk-serial SERIAL\` writes them.
# bootstrapInPlace:
#   installationDisk: /dev/disk/by-id/…`;
}

const defaultNetworks: Readonly<
  Record<Family, { readonly cluster: string; readonly hostPrefix: number; readonly service: string }>
> = {
  IPv4: { cluster: '10.128.0.0/14', hostPrefix: 23, service: '172.30.0.0/16' },
  IPv6: { cluster: 'fd01::/48', hostPrefix: 64, service: 'fd02::/112' },
};

function familyOf(cidr: string): Family {
  return parseCidr(cidr)?.family ?? 'IPv4';
}

/** Fields for common cases, commented out without an answer. */
function optionalFields(answers: InstallConfigAnswers): string {
  const { httpProxy, httpsProxy, noProxy, additionalTrustBundle, mirror = [] } = answers;
  const proxy = { httpProxy, httpsProxy, noProxy };
  const hasProxy = Object.values(proxy).some((value) => value !== undefined);
  const sources = [...new Set(mirror.map(({ source }) => source))].map((source) => ({
    source,
    mirrors: mirror.filter((each) => each.source === source).map((each) => each.mirror),
  }));
  return [
    hasProxy ? writeYamlInOrder({ proxy }) : proxyExample,
    additionalTrustBundle === undefined ? trustExample : writeYamlInOrder({ additionalTrustBundle }),
    sources.length > 0 ? writeYamlInOrder({ imageDigestSources: sources }) : mirrorExample,
  ].join('\n');
}

const proxyExample = `# Proxy, if the node has no direct internet access.
# proxy:
#   httpProxy: http://proxy.example.com:3128
#   httpsProxy: http://proxy.example.com:3128
#   noProxy: .example.com
`;

const trustExample = `# Your CA certificates.
# additionalTrustBundle: |
#   -----BEGIN CERTIFICATE-----
#   …
#   -----END CERTIFICATE-----
`;

const mirrorExample = `# Mirrors, for a disconnected installation. The sources of OKD are quay.io/okd/scos-release and quay.io/okd/scos-content.
# imageDigestSources:
#   - source: quay.io/openshift-release-dev/ocp-release
#     mirrors:
#       - registry.example.com:5000/openshift/release-images
#   - source: quay.io/openshift-release-dev/ocp-v4.0-art-dev
#     mirrors:
#       - registry.example.com:5000/openshift/release
`;

function sshKeyField(sshKey: string): string {
  const lines = sshKey.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return '# sshKey: ssh-ed25519 AAAA… you@example.com\n';
  return `sshKey: |\n${lines.map((line) => `  ${line.trim()}\n`).join('')}`;
}

/** An answer as one line of YAML. */
function oneLine(text: string): string {
  return writeScalar(text.replace(/\s*\n\s*/g, ' ').trim());
}
