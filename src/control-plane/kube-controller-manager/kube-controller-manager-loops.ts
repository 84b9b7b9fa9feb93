import { componentNames, managedConfigNamespace as managed } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { ComponentLoops } from '../../loops/loop.js';
import { resourceSync, type SyncRule } from '../../loops/resource-sync.js';
import type { RevisionedObjects } from '../../loops/revision.js';
import { certRotation } from '../../loops/rotation.js';
import { staticResources } from '../../loops/static-resources.js';
import { configObservation } from './observation.js';
import { serviceAccountKey } from './service-account-key.js';
import { controllerManagerStaticObjects } from './static-objects.js';
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
export const kubeControllerManagerLoops: ComponentLoops = {
  component: 'kube-controller-manager',
  first: [
    certRotation('kube-controller-manager'),
    serviceAccountKey,
    staticResources('kube-controller-manager', controllerManagerStaticObjects),
  ],
  settling: [configObservation, targetConfig, resourceSync('kube-controller-manager', syncRules)],
};

/**
 * What the static pod reads; with OpenShift what the operator's list has besides. `service-ca` is in that list, but comes
 * from an operator that needs this very pod to start: no flag names it, and the operator's next revision waits for it.
 * Source: cluster-kube-controller-manager-operator pkg/operator/starter.go
 */
export function kubeControllerManagerRevision({
  profile,
}: Pick<ControlPlaneInputs, 'profile'>): RevisionedObjects {
  const ofOperator = profile === 'OpenShift';
  return {
    component: 'kube-controller-manager',
    configMaps: [
      { name: 'kube-controller-manager-pod' },
      { name: 'controller-manager-kubeconfig' },
      { name: 'serviceaccount-ca' },
      ...(ofOperator ? operatorConfigMaps : []),
    ],
    secrets: [
      { name: 'service-account-private-key' },
      ...(ofOperator ? [{ name: 'localhost-recovery-client-token', isOptional: true } as const] : []),
    ],
    certConfigMaps: [
      { name: 'aggregator-client-ca' },
      { name: 'client-ca' },
      ...(ofOperator ? [{ name: 'trusted-ca-bundle', isOptional: true } as const] : []),
    ],
    certSecrets: [{ name: 'kube-controller-manager-client-cert-key' }, { name: 'csr-signer' }],
  };
}

const operatorConfigMaps: RevisionedObjects['configMaps'] = [
  { name: 'config' },
  { name: 'cluster-policy-controller-config' },
  { name: 'kube-controller-cert-syncer-kubeconfig' },
  { name: 'recycler-config' },
  { name: 'service-ca', isOptional: true },
];

function taken(kind: SyncRule['kind'], name: string, ours = name): SyncRule {
  return { kind, from: { namespace: managed, name }, to: { namespace, name: ours } };
}
