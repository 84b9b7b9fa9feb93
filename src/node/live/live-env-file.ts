import { apiHost, clusterDomain, internalApiHost } from '../../config/cluster-domain.js';
import { formatAddress, parseAddress, parseCidr } from '../../formats/cidr.js';
import { quotedValue } from './env-value.js';
import type { PayloadRegistry } from '../payload.js';
import type { LiveFacts } from './live-facts.js';

/** Settings for the scripts on the node; mode 0600. */
export const envFilePath = '/opt/openshift/sno-install.env';

/** The env file: one `NAME='value'` per line, for bash `source` and for systemd `EnvironmentFile=`. */
export function envFile(facts: LiveFacts): string {
  const { registry } = facts;
  const all = registry === undefined ? variables : [...variables, diskWithPayload(registry.payload)];
  const lines = all.map(([name, valueOf]) => `${name}=${quotedValue(name, valueOf(facts))}`);
  return `# Settings of the installation scripts, read with source.\n${lines.join('\n')}\n`;
}

type Variable = readonly [name: `SNO_${string}`, valueOf: (facts: LiveFacts) => string];

/** One row per variable of the scripts. */
const variables: readonly Variable[] = [
  ['SNO_CLUSTER_NAME', ({ install }) => install.metadata.name],
  ['SNO_CLUSTER_DOMAIN', ({ install }) => clusterDomain(install)],
  ['SNO_API_HOST', ({ install }) => apiHost(install)],
  ['SNO_API_INT_HOST', ({ install }) => internalApiHost(install)],
  ['SNO_RELEASE_IMAGE', ({ release }) => release.image],
  ['SNO_INSTALLATION_DISK', ({ install }) => install.bootstrapInPlace?.installationDisk ?? ''],
  ['SNO_ROOT_DEVICE_HINTS', ({ sno }) => (sno.rootDeviceHints ? JSON.stringify(sno.rootDeviceHints) : '')],
  ['SNO_COREOS_INSTALLER', ({ sno }) => JSON.stringify(sno.coreosInstaller)],
  ['SNO_REINSTALL', ({ sno }) => sno.reinstall],
  [
    'SNO_MACHINE_NETWORKS',
    ({ install }) => install.networking.machineNetwork.map(({ cidr }) => cidr).join(' '),
  ],
  ['SNO_HOSTNAME', ({ sno }) => sno.hostname ?? ''],
  ['SNO_NODE_IP', ({ sno }) => shortest(sno.nodeIP ?? '')],
  ['SNO_API_CHECK', ({ sno }) => sno.dns.apiCheck],
  ['SNO_IP_FAMILY', ({ serviceNetwork }) => (isIPv6(serviceNetwork[0]) ? '6' : '4')],
  ['SNO_DUAL_STACK', ({ serviceNetwork }) => flag(new Set(serviceNetwork.map(isIPv6)).size > 1)],
  ['SNO_RENDER', ({ render }) => render.by],
  // Key algorithm for the certificates that only the node can issue.
  ['SNO_KEY_ALGORITHM', ({ sno }) => sno.certificates.keyAlgorithm],
  // The profile of every self-managed installation. Source: openshift/api, cluster profiles
  ['SNO_CLUSTER_PROFILE', () => 'self-managed-high-availability'],
  ['SNO_NOT_BEFORE', ({ window }) => epochSeconds(window.notBefore)],
  ['SNO_NOT_AFTER', ({ window }) => epochSeconds(window.bootableUntil)],
  ['SNO_OS_IMAGE_STREAM', osImageStream],
  ['SNO_FIPS', ({ install }) => flag(install.fips)],
  ['SNO_INVOKER', ({ invoker }) => invoker ?? 'user'],
  ['SNO_EXPECTED_ARCH', ({ install }) => install.controlPlane.architecture],
];

/** The cluster and a partition with the payload. Source of the cluster's share: SNO_MINIMUM_DISK_GB in sno-preflight-disk.sh */
function diskWithPayload({ manifest: { fileSystem } }: PayloadRegistry['payload']): Variable {
  return ['SNO_MINIMUM_DISK_GB', () => String(100 + Math.ceil(fileSystem.bytes / 1e9))];
}

/** The operating system stream. Source: openshift/installer pkg/types/defaults: rhel-9 before product version 5. */
export function osImageStream({ install, release }: Pick<LiveFacts, 'install' | 'release'>): string {
  return install.osImageStream ?? ((release.version?.major ?? 4) < 5 ? 'rhel-9' : 'rhel-10');
}

/** The form in which the kernel prints an address; the scripts compare addresses as text. */
function shortest(address: string): string {
  const parsed = parseAddress(address);
  return parsed ? formatAddress(parsed) : address;
}

function isIPv6(cidr: string | undefined): boolean {
  return cidr !== undefined && parseCidr(cidr)?.family === 'IPv6';
}

function epochSeconds(date: Date): string {
  return String(Math.trunc(date.getTime() / 1000));
}

function flag(value: boolean): string {
  return value ? '1' : '0';
}
