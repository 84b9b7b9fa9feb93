import { isUtf8 } from 'node:buffer';

import { writeYaml } from '../../formats/yaml/write-yaml.js';
import { groupOf, identityKey, identityOf } from '../../kube/identity.js';
import type { KubeObject } from '../../kube/object.js';
import { secrets } from '../../control-plane/loops/kinds.js';
import type { Store } from '../../control-plane/loops/store.js';

export interface ExportedManifest {
  /** Namespaces sort before the objects in them. */
  readonly name: string;
  readonly text: string;
}

/**
 * Converts the objects of a store to manifests. Leaves out the objects whose identity (`identityKey`) is in `left`, and the operators'
 * own configurations: the version operator creates them and would keep ours, and an operator that finds `observedConfig` does not
 * wait for its own observers.
 * Source: cluster-kube-apiserver-operator manifests/0000_20_…_01_operator.cr.yaml (create-only), targetconfigcontroller.go
 * isRequiredConfigPresent; cluster-version-operator lib/resourceapply/interface.go
 */
export function exportedManifests(store: Store, left: ReadonlySet<string>): readonly ExportedManifest[] {
  return store
    .objects()
    .filter((object) => !left.has(identityKey(identityOf(object))) && !isOperatorConfig(object))
    .map((object) => ({ name: manifestName(object), text: writeYaml(readable(object)) }));
}

/** Whether operators or the version operator create the object, so that the node does not apply it. */
export function isOperatorConfig({ apiVersion }: KubeObject): boolean {
  return ['operator.openshift.io', 'config.openshift.io'].includes(groupOf(apiVersion));
}

/** The file name of an object. Lower case for file systems that ignore case, and without the `:` of RBAC names, which is awkward in a shell. */
export function manifestName({ kind, metadata }: KubeObject): string {
  const place = metadata.namespace === undefined ? '' : `${metadata.namespace}-`;
  const order = kind === 'Namespace' ? '00' : '50';
  return `control-plane-${order}-${kind}-${place}${metadata.name}.yaml`.toLowerCase().replaceAll(':', '-');
}

/**
 * Converts Secrets to `stringData`, which the API server also accepts. Text that the Ignition config contains elsewhere as a file is then
 * repeated literally and compresses well. Binary data stays in `data`.
 */
function readable(object: KubeObject): KubeObject {
  if (!secrets.is(object)) return object;
  const { data, ...rest } = object;
  const values = Object.entries(data).map(
    ([key, base64]) => [key, base64, Buffer.from(base64, 'base64')] as const,
  );
  const texts = values
    .filter(([, , bytes]) => isUtf8(bytes))
    .map(([key, , bytes]) => [key, bytes.toString()]);
  const binary = values.filter(([, , bytes]) => !isUtf8(bytes)).map(([key, base64]) => [key, base64]);
  return {
    ...rest,
    ...(binary.length > 0 && { data: Object.fromEntries(binary) }),
    stringData: Object.fromEntries(texts),
  };
}
