import { isRecord } from '../../core/is-record.js';
import { parseJson } from '../../formats/json.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { roleLabel } from '../../kube/machine-config.js';
import { renderUrl } from '../render-text.js';
import type { ConfigTexts, ManifestObject } from './config-texts.js';
import { row, strings } from './rows.js';
import type { SheetRow } from './sheet.js';

/** The disk that the installation erases, the partitions that it keeps, and the encryption of the node. */
export function diskRows({ settings, installConfig, manifests }: ConfigTexts): readonly SheetRow[] {
  const hints = parseJson(settings.get('SNO_ROOT_DEVICE_HINTS') ?? '');
  const path =
    settings.get('SNO_INSTALLATION_DISK') ?? textAt(installConfig, ['bootstrapInPlace', 'installationDisk']);
  const erased = isRecord(hints) && Object.keys(hints).length > 0 ? hintTexts(hints) : [path];
  if (erased.every((each) => each === undefined)) return [];
  const arguments_ = parseJson(settings.get('SNO_COREOS_INSTALLER') ?? '');
  const kept = [
    ...strings(listAt(arguments_, ['savePartitionLabels'])).map((label) => `label ${label}`),
    ...strings(listAt(arguments_, ['savePartitionIndexes'])).map((index) => `number ${index}`),
  ];
  const keeps = isRecord(arguments_) && kept.length === 0 ? ['nothing: the whole disk is erased'] : kept;
  return [
    ...row('erased-disk', 'Erases', erased),
    ...row('kept-partitions', 'Keeps', keeps),
    ...row('disk-encryption', 'Encrypts', manifests.flatMap(encryptionOf)),
    ...row('reinstall', 'On reinstall', [reinstallTexts[settings.get('SNO_REINSTALL') ?? '']]),
  ];
}

/** The encrypted devices of a MachineConfig of the node, such as `root, unlocked by TPM 2.0`. */
function encryptionOf({ object }: ManifestObject): readonly string[] {
  const isOfNode = textAt(object, ['kind']) === 'MachineConfig' && fieldAt(object, rolePath) === 'master';
  const devices = isOfNode ? listAt(object, ['spec', 'config', 'storage', 'luks']) : [];
  return devices.map((device) => {
    const servers = listAt(device, ['clevis', 'tang']).map((each) => textAt(each, ['url']) ?? '');
    const hasTpm = fieldAt(device, ['clevis', 'tpm2']) === true;
    const keys = [...(hasTpm ? ['TPM 2.0'] : []), ...servers.map((url) => renderUrl(url))];
    const threshold = fieldAt(device, ['clevis', 'threshold']);
    const needed = typeof threshold === 'number' && threshold > 1 ? `${threshold} of ` : '';
    const name = textAt(device, ['name']) ?? '';
    return keys.length === 0 ? name : `${name}, unlocked by ${needed}${keys.join(' + ')}`;
  });
}

const rolePath = ['metadata', 'labels', roleLabel];

/** Such as `model=PERC H755`; a disk must match all hints. */
function hintTexts(hints: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(hints)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
}

/** Values of `reinstall` in sno-config.yaml. */
const reinstallTexts: Readonly<Record<string, string>> = {
  Refuse: 'stops if this cluster is already on the disk',
  SameCluster: 'overwrites an installation of this cluster',
  Always: 'overwrites an installation of this cluster, even in use',
};
