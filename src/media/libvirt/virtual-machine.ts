import { clusterDomain } from '../../config/cluster-domain.js';
import type { InstallConfig, MachinePool } from '../../config/schema/install-config-schema.js';
import type { Finding } from '../../config/schema/rule.js';
import type { SnoConfig } from '../../config/schema/sno-config-schema.js';
import { quoted } from '../../core/quoted.js';
import type { RootDeviceHints } from '../../config/schema/disk-schema.js';
import { type VirtualCard, virtualCards } from './virtual-cards.js';
import { type VirtualDisk, virtualDisk } from './virtual-disk.js';
import { type VirtualNetwork, virtualNetwork } from './virtual-network.js';

/** The virtual machine of a config. */
export interface VirtualMachine {
  /** Name of the domain and of the network: that of the cluster. */
  readonly name: string;
  readonly clusterDomain: string;
  /** Full name of the node. */
  readonly nodeName: string;
  readonly architecture: MachinePool['architecture'];
  readonly size: MachineSize;
  readonly disk: VirtualDisk;
  readonly cards: readonly VirtualCard[];
  readonly network: VirtualNetwork;
}

export interface MachineSize {
  readonly cpus: number;
  readonly memoryGib: number;
}

/** At least the 8 CPUs and 16 GiB of the OpenShift documentation, requirements for a single node. */
const leastSize: MachineSize = { cpus: 8, memoryGib: 24 };

/** Hardware that the manifests of the node need. */
interface Demand {
  readonly cpus: number;
  readonly hugepagesGib: number;
}

/** The settings that no virtual machine can have, by the file that contains them. */
export interface MachineFindings {
  readonly install: readonly Finding[];
  readonly sno: readonly Finding[];
  /** Findings in sno-config.yaml that do not apply to a machine on a bridge of the host. */
  readonly network: readonly Finding[];
}

/** The machine that a config describes. The machine is valid if there are no findings. */
export function virtualMachine(
  install: InstallConfig,
  sno: SnoConfig,
  demand: Demand,
): { readonly machine: VirtualMachine; readonly findings: MachineFindings } {
  const domain = clusterDomain(install);
  const { architecture } = install.controlPlane;
  const { network = {} } = sno;
  const hasInterfaces = (network.interfaces ?? []).length > 0;
  const { cards, findings: cardFindings } = virtualCards(hasInterfaces ? network : undefined, {
    ...{ clusterDomain: domain, architecture },
  });
  const { network: around, findings: networkFindings } = virtualNetwork({
    network,
    machineNetworks: install.networking.machineNetwork.map(({ cidr }) => cidr),
    ...(sno.nodeIP !== undefined && { nodeIP: sno.nodeIP }),
    hasLocalDns: sno.dns.local,
  });
  const path = install.bootstrapInPlace?.installationDisk;
  const hints = path === undefined ? (sno.rootDeviceHints ?? {}) : { deviceName: path };
  const { disk, faults } = virtualDisk(hints);
  const diskFindings = faults.map((fault) => diskFinding(hints, fault, path !== undefined));
  return {
    machine: {
      name: install.metadata.name,
      clusterDomain: domain,
      nodeName: fullName(sno.hostname ?? defaultHostName, domain),
      size: {
        cpus: Math.max(leastSize.cpus, demand.cpus),
        memoryGib: leastSize.memoryGib + demand.hugepagesGib,
      },
      ...{ architecture, disk, cards, network: around },
    },
    findings: {
      install: [...architectureFindings(architecture), ...(path === undefined ? [] : diskFindings)],
      sno: [...(path === undefined ? diskFindings : []), ...keyfileFindings(sno), ...cardFindings],
      network: networkFindings,
    },
  };
}

/** The name that a node without `hostname` gets by DHCP. */
const defaultHostName = 'node';

/** A host name of one label is in the domain of the cluster; a longer one is a full name. */
function fullName(hostName: string, domain: string): string {
  return hostName.includes('.') ? hostName : `${hostName}.${domain}`;
}

function architectureFindings(architecture: MachinePool['architecture']): readonly Finding[] {
  if (architecture === 'amd64' || architecture === 'arm64') return [];
  return [
    {
      code: 'libvirt/architecture',
      path: ['controlPlane', 'architecture'],
      message: `virtual machines with the architecture ${architecture} are not supported`,
      hint: 'use amd64 or arm64 in the copy of the config for the virtual machine',
    },
  ];
}

function diskFinding(
  hints: RootDeviceHints,
  { hint, message }: ReturnType<typeof virtualDisk>['faults'][number],
  isPath: boolean,
): Finding {
  const path = isPath ? ['bootstrapInPlace', 'installationDisk'] : ['rootDeviceHints', hint];
  return {
    code: 'libvirt/disk',
    path,
    message: `${path.join('.')} ${quoted(String(hints[hint] ?? ''))} ${message}`,
    hint: `use ${isPath ? 'installationDisk' : 'deviceName'}: /dev/disk/by-id/virtio-disk1${isPath ? '' : ' alone'} in the copy of the config for the virtual machine, which then has a disk with the serial number disk1`,
  };
}

function keyfileFindings({ network }: SnoConfig): readonly Finding[] {
  if ((network?.keyfiles ?? []).length === 0) return [];
  return [
    {
      code: 'libvirt/keyfiles',
      path: ['network', 'keyfiles'],
      message: 'the network cards of a virtual machine cannot be derived from network.keyfiles',
      hint: 'describe the interfaces in network.interfaces',
    },
  ];
}
