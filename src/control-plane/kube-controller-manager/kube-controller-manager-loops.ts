import { componentNames, managedConfigNamespace as managed } from '../../kube/components.js';
import type { ComponentLoops } from '../../loops/loop.js';
import { resourceSync, type SyncRule } from '../../loops/resource-sync.js';
import { certRotation } from '../../loops/rotation.js';
import { staticResources } from '../../loops/static-resources.js';
import type { ControllerManagerDialect } from './dialect.js';
import { configObservation } from './observation.js';
import { serviceAccountKey } from './service-account-key.js';
import { targetConfig } from './target-config.js';

const { namespace, operatorNamespace } = componentNames['kube-controller-manager'];

/** Source: cluster-kube-controller-manager-operator pkg/operator/resourcesynccontroller */
const syncRules: readonly SyncRule[] = [
  {
    kind: 'ConfigMap',
    from: { namespace: operatorNamespace, name: 'csr-controller-ca' },
    to: { namespace: managed, name: 'csr-controller-ca' },
  },
  taken('Secret', 'kube-controller-manager-client-cert-key'),
  taken('ConfigMap', 'service-ca'),
  taken('ConfigMap', 'kube-apiserver-client-ca', 'client-ca'),
  taken('ConfigMap', 'kube-apiserver-aggregator-client-ca', 'aggregator-client-ca'),
];

/** The loops of kube-controller-manager's operator, as far as they decide what lies on the node. */
export function kubeControllerManagerLoops(dialect: ControllerManagerDialect): ComponentLoops {
  return {
    component: 'kube-controller-manager',
    first: [
      certRotation('kube-controller-manager'),
      serviceAccountKey,
      staticResources('kube-controller-manager', dialect.staticObjects),
    ],
    settling: [
      configObservation(dialect),
      targetConfig(dialect),
      resourceSync('kube-controller-manager', syncRules),
    ],
  };
}

function taken(kind: SyncRule['kind'], name: string, ours = name): SyncRule {
  return { kind, from: { namespace: managed, name }, to: { namespace, name: ours } };
}
