import { fieldAt, listAt, textAt } from '../kube/fields.js';
import type { Manifest } from '../kube/manifest.js';
import type { ClusterNetworkEntry } from '../kube/openshift-objects.js';

/** The networks of pods and of Services, in the order in which they are written. */
export interface ClusterNetworks {
  readonly clusterNetwork: readonly ClusterNetworkEntry[];
  readonly serviceNetwork: readonly string[];
}

/** The networks as the Network manifest has them, edited or not. */
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
