import { nodeAt, type YamlNode, type YamlScalar } from '../../formats/yaml/yaml-tree.js';

/** Hints that identify one disk, in order of precedence. */
export const diskHints = ['deviceName', 'wwnWithExtension', 'wwn'] as const;

/** The device path of the disk and the hint that identifies it. */
export interface RootDevice {
  readonly disk: YamlScalar;
  readonly hint: (typeof diskHints)[number];
}

/**
 * Returns the disk that `rootDeviceHints` identify. Undefined for hints such as a size, which match a disk only on the running machine.
 * Source: metal3-io/baremetal-operator RootDeviceHints; links of systemd rules.d/60-persistent-storage.rules
 */
export function rootDevice(hints: YamlNode): RootDevice | undefined {
  for (const hint of diskHints) {
    const node = nodeAt(hints, [hint]);
    if (node?.kind !== 'scalar' || node.text === '') continue;
    const path = hint === 'deviceName' ? node.text : linkOf(node.text);
    return { disk: { ...node, value: path, text: path }, hint };
  }
  return undefined;
}

/** Links of NVMe disks begin with `nvme-`, those of all other disks with `wwn-`. */
function linkOf(wwn: string): string {
  const bus = /^(?:eui|nvme|uuid)\./.test(wwn) ? 'nvme' : 'wwn';
  return `/dev/disk/by-id/${bus}-${wwn}`;
}
