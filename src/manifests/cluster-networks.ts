import { fieldAt, listAt, textAt } from '../kube/fields.js';
import type { Manifest } from '../kube/manifest.js';
import type { ClusterNetworkEntry } from '../kube/openshift-objects.js';

/** The pod and Service networks, in the order of the manifest. */
export interface ClusterNetworks {
  readonly clusterNetwork: readonly ClusterNetworkEntry[];
  readonly serviceNetwork: readonly string[];
}

/** Reads the networks from the Network manifest, including the user's edits. */
export function networksOf(manifests: readonly Manifest[]): ClusterNetworks {
  const spec = fieldAt(manifests[0]?.object, ['spec']);
  return {
    clusterNetwork: listAt(spec, ['clusterNetwork']).flatMap((entry) => {
      const [cidr, hostPrefix] = [textAt(entry, ['cidr']), fieldAt(entry, ['hostPrefix'])];
      return cidr !== undefined && typeof hostPrefix === 'number' ? [{ cidr, hostPrefix }] : [];
    }),
    serviceNetwork: listAt(spec, ['serviceNetwork']).filter((cidr) => typeof cidr === 'string'),
  };
}
