import { problem, type Problem } from '../../core/problem.js';
import { maskedWord } from '../../core/quoted.js';
import type { FieldPath } from '../../formats/yaml/yaml-tree.js';
import { listAt, textAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import { manifestFieldPlace } from '../../kube/manifest-place.js';
import type { Manifest } from '../../kube/manifest.js';

/** Name of the MachineConfig of `diskEncryption`. */
export const diskEncryptionName = '99-master-disk-encryption';

/**
 * Reports MachineConfigs of the user that create the root file system, its encryption or its RAID, if `diskEncryption` does it too: Ignition
 * would get both. Problems: manifest/root-twice.
 */
export function rootDeviceProblems(manifests: readonly Manifest[]): readonly Problem[] {
  if (!manifests.some(({ object }) => object.metadata.name === diskEncryptionName)) return [];
  return manifests.flatMap((manifest) => {
    const { object, source } = manifest;
    const isOther = object.kind === 'MachineConfig' && object.metadata.name !== diskEncryptionName;
    if (!isOther || source === undefined || object.metadata.labels?.[roleLabel] !== 'master') return [];
    const [first] = rootEntries(manifest);
    if (first === undefined) return [];
    const name = maskedWord(object.metadata.name);
    const message = `MachineConfig ${name} creates the root file system, and so does diskEncryption of sno-config.yaml`;
    const hint = first.includes('raid')
      ? 'remove diskEncryption, and add luks to boot_device of the Butane config that writes the mirror'
      : 'remove one of them';
    return [problem('manifest/root-twice', message, { at: manifestFieldPlace(source, first), hint })];
  });
}

/** Names of these devices as Butane writes them. Source: coreos/butane config/fcos, boot_device */
function rootEntries({ object }: Manifest): readonly FieldPath[] {
  const is = (entry: unknown, key: string, ...values: readonly string[]): boolean =>
    values.includes(textAt(entry, [key]) ?? '');
  const at = (kind: string, isRoot: (entry: unknown) => boolean): readonly FieldPath[] => {
    const list = ['spec', 'config', 'storage', kind];
    return listAt(object, list).flatMap((entry, index) => (isRoot(entry) ? [[...list, index]] : []));
  };
  return [
    ...at('raid', (entry) => is(entry, 'name', 'md-root')),
    ...at(
      'luks',
      (entry) =>
        is(entry, 'name', 'root') || is(entry, 'device', '/dev/disk/by-partlabel/root', '/dev/md/md-root'),
    ),
    ...at(
      'filesystems',
      (entry) =>
        is(entry, 'label', 'root') || is(entry, 'device', '/dev/disk/by-partlabel/root', '/dev/mapper/root'),
    ),
  ];
}
