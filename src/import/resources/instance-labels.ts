import { nodeAt, type FieldPath } from '../../formats/yaml/yaml-tree.js';
import { clusterField, type Found, type Instance } from './instances.js';

/** Fields with labels and annotations of the cluster, in order of precedence. Source: stolostron/siteconfig api/v1alpha1 */
const fields: readonly FieldPath[] = [
  ['extraLabels', 'ManagedCluster'],
  ['clusterLabels'],
  ['metadata', 'labels'],
  ['extraAnnotations', 'ManagedCluster'],
  ['crAnnotations', 'add', 'ManagedCluster'],
  ['metadata', 'annotations'],
];

/** A copy of the whole resource, written by `kubectl apply`. */
const copyOfResource = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * Labels and annotations of a cluster by variable name. `example.com/rack-row` has the name `example_com_rack-row`, and the short name
 * `rack-row` if no other key ends in it.
 */
export function instanceLabels(instance: Instance): ReadonlyMap<string, Found> {
  const byKey = new Map<string, Found>();
  for (const path of fields) {
    const found = path[0] === 'metadata' ? ofResource(instance, path) : clusterField(instance, path);
    for (const { key, value } of found?.node.kind === 'map' ? found.node.entries : []) {
      if (found === undefined || byKey.has(key) || key === copyOfResource) continue;
      if (value.kind === 'scalar' && value.value !== null)
        byKey.set(key, { node: value, path: [...found.path, key] });
    }
  }
  const shortNames = [...byKey.keys()].map(shortName);
  const named = [...byKey].flatMap(([key, found]) => {
    const short = shortName(key);
    const isUnique = shortNames.filter((each) => each === short).length === 1;
    return [[variableName(key), found] as const, ...(isUnique ? [[short, found] as const] : [])];
  });
  return new Map(named);
}

function ofResource({ resource }: Instance, path: FieldPath): Found | undefined {
  const node = nodeAt(resource.root(), path);
  return node && { node, path };
}

function shortName(key: string): string {
  return variableName(key.slice(key.lastIndexOf('/') + 1));
}

function variableName(key: string): string {
  const name = key.replaceAll(/[^\w-]/g, '_');
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}
