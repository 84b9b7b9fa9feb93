import { isDeepStrictEqual } from 'node:util';

import { byCodeUnit } from '../../core/compare.js';
import { decodeDataUrl } from '../../formats/data-url.js';
import { fieldAt, listAt, textAt } from '../../kube/fields.js';
import { groupOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';

/**
 * The first field of an object that cannot change on a running node, but differs from the live object; undefined if there is none.
 * `live` is undefined for a new object. Fields that the object omits stay as they are.
 */
export function changedFixedField(live: unknown, wanted: KubeObject): string | undefined {
  if (wanted.kind === 'MachineConfig') return changedMachineConfig(live, wanted);
  const key = `${wanted.kind}.${groupOf(wanted.apiVersion)}`;
  const fields = Object.hasOwn(fixed, key) ? fixed[key] : undefined;
  return fields?.find((field) => {
    const path = ['spec', ...field.split('.')];
    const value = fieldAt(wanted, path);
    return value !== undefined && live !== undefined && !isDeepStrictEqual(value, fieldAt(live, path));
  });
}

/** Fields below `spec`, by `Kind.group`. Source: openshift/api config/v1, descriptions of the fields ("immutable", "cannot be changed"). */
const fixed: Readonly<Record<string, readonly string[]>> = {
  'DNS.config.openshift.io': ['baseDomain'],
  'Infrastructure.config.openshift.io': ['platformSpec.type'],
  'Ingress.config.openshift.io': ['domain'],
  'Network.config.openshift.io': ['clusterNetwork', 'serviceNetwork', 'networkType'],
  // Source: openshift/machine-config-operator pkg/controller/osimagestream; another stream reinstalls the node image
  'OSImageStream.machineconfiguration.openshift.io': ['defaultStream'],
};

/** The machine config daemon refuses changes of these parts of Ignition. Source: openshift/machine-config-operator pkg/daemon/update.go, reconcilable */
const refusedParts = ['disks', 'filesystems', 'raid', 'luks'];

/**
 * Files with the name and the addresses of the node, which certificates and etcd contain, and with its labels, which the kubelet sets
 * only when the node joins. Source: ../../node/node-settings.ts
 */
const fixedFiles = [
  '/etc/hostname',
  '/etc/default/nodeip-configuration',
  '/etc/systemd/system/kubelet.service.d/30-node-labels.conf',
];

function changedMachineConfig(live: unknown, wanted: KubeObject): string | undefined {
  const isFips = (object: unknown): boolean => fieldAt(object, ['spec', 'fips']) === true;
  if (isFips(live) !== isFips(wanted)) return 'fips';
  const part = refusedParts.find(
    (name) => !isDeepStrictEqual(storageAt(live, name), storageAt(wanted, name)),
  );
  if (part !== undefined) return `config.storage.${part}`;
  const [before, after] = [filesIn(live), filesIn(wanted)];
  const file = fixedFiles.find((path) => after.has(path) && before.get(path) !== after.get(path));
  if (file !== undefined) return file;
  return isDeepStrictEqual(addressesIn(before), addressesIn(after)) ? undefined : 'the addresses of the node';
}

function storageAt(object: unknown, part: string): readonly unknown[] {
  return listAt(object, ['spec', 'config', 'storage', part]);
}

/** Contents by path. A source that cannot be decoded counts as it is. */
function filesIn(object: unknown): ReadonlyMap<string, string> {
  return new Map(
    storageAt(object, 'files').map((file) => {
      const source = textAt(file, ['contents', 'source']) ?? '';
      return [textAt(file, ['path']) ?? '', decodeDataUrl(source)?.toString('utf8') ?? source];
    }),
  );
}

/** The static addresses in NetworkManager's profiles, without gateways. Source: nm-settings-keyfile(5), `addressN=ADDRESS/PREFIX,GATEWAY` */
function addressesIn(files: ReadonlyMap<string, string>): readonly string[] {
  return [...files]
    .filter(([path]) => path.startsWith('/etc/NetworkManager/system-connections/'))
    .flatMap(([, text]) =>
      [...text.matchAll(/^address(?:es)?\d*=([^,\n]*)/gm)].map(([, address = '']) => address),
    )
    .toSorted(byCodeUnit);
}
