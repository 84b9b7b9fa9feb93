import { componentNames, type Component } from '../../kube/components.js';
import { configMap, type ConfigMap } from '../../kube/core-objects.js';
import { configMaps } from '../loops/kinds.js';
import type { Store } from '../loops/store.js';

/**
 * The ConfigMap that the network operator fills with the cluster's trusted CA bundle, because of its label. A later revision reads
 * it. Empty if the ConfigMap exists.
 */
export function trustedBundle(store: Store, component: Component): readonly ConfigMap[] {
  const { namespace } = componentNames[component];
  const name = 'trusted-ca-bundle';
  if (store.get(configMaps, namespace, name) !== undefined) return [];
  const labels = { 'config.openshift.io/inject-trusted-cabundle': 'true' };
  return [configMap({ namespace, name, labels }, {})];
}
