import { nodeAt, type YamlNode, type YamlScalar } from '../../formats/yaml/yaml-tree.js';

/** Hints that name one disk, in the order in which they are taken. */
export const diskHints = ['deviceName', 'wwnWithExtension', 'wwn'] as const;

/** The path of the disk that hints name, and which of them did. */
export interface RootDevice {
  readonly disk: YamlScalar;
  readonly hint: (typeof diskHints)[number];
}

/**
 * The disk that `rootDeviceHints` name. Hints that only describe one, such as a size, name no disk before the machine runs.
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

/** NVMe disks are named by what the specification calls them, all others by their World Wide Name. */
function linkOf(wwn: string): string {
  const bus = /^(?:eui|nvme|uuid)\./.test(wwn) ? 'nvme' : 'wwn';
  return `/dev/disk/by-id/${bus}-${wwn}`;
}
