import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import type { Manifest, ManifestSource } from '../../kube/manifest.js';
import { cpuSettings } from './check-cpu-sets.js';
import { isPerformanceProfile } from './check-performance-profile.js';

/** The hardware that the manifests of a node need. */
export interface MachineDemand {
  /** One more than the highest CPU number; 0 if no manifest lists CPUs. */
  readonly cpus: number;
  /** Memory for huge pages, rounded up. */
  readonly hugepagesGib: number;
  /** The disks that MachineConfigs of the node partition. */
  readonly disks: readonly DemandedDisk[];
}

interface DemandedDisk {
  readonly device: string;
  readonly machineConfig: string;
  /** Absent if generated. */
  readonly source?: ManifestSource;
  readonly path: FieldPath;
}

export function machineDemand(manifests: readonly Manifest[]): MachineDemand {
  const numbers = cpuSettings(manifests).flatMap(({ cpus }) => [...cpus]);
  const profiles = manifests.filter(({ object }) => isPerformanceProfile(object));
  const mib = profiles.flatMap(({ object }) => listAt(object, ['spec', 'hugepages', 'pages'])).map(pageMib);
  return {
    cpus: numbers.reduce((highest, cpu) => Math.max(highest, cpu + 1), 0),
    hugepagesGib: Math.ceil(mib.reduce((sum, each) => sum + each, 0) / 1024),
    disks: manifests.flatMap(disksOf),
  };
}

function disksOf({ object, source }: Manifest): readonly DemandedDisk[] {
  const isOfNode = object.kind === 'MachineConfig' && object.metadata.labels?.[roleLabel] === 'master';
  const list = ['spec', 'config', 'storage', 'disks'];
  return (isOfNode ? listAt(object, list) : []).flatMap((disk, index) => {
    const device = textAt(disk, ['device']);
    if (device === undefined) return [];
    const machineConfig = object.metadata.name;
    return [{ device, machineConfig, path: [...list, index, 'device'], ...(source && { source }) }];
  });
}

/** Source: HugePageSize of cluster-node-tuning-operator pkg/apis/performanceprofile/v2, such as 2M or 1G */
function pageMib(page: unknown): number {
  const [, size = '0', unit = ''] = /^(\d{1,5})([KMG])$/.exec(textAt(page, ['size']) ?? '') ?? [];
  const count = fieldAt(page, ['count']);
  const factor = { K: 1 / 1024, M: 1, G: 1024 }[unit] ?? 0;
  return typeof count === 'number' && count > 0 ? count * Number(size) * factor : 0;
}
