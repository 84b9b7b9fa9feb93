import { componentNames, systemNamespace, userConfigNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { ComponentLoops, Loop } from '../../loops/loop.js';
import { resourceSync, type SyncRule } from '../../loops/resource-sync.js';
import type { RevisionedObjects } from '../../loops/revision.js';
import { staticResources } from '../../loops/static-resources.js';
import { podConfigMap } from '../shared/static-pod.js';
import { observedTls } from '../shared/tls-profile.js';
import { allBundlesName, allCertsName, etcdCertRotation } from './certificates.js';
import { etcdPod } from './pod.js';
import { etcdStaticObjects } from './static-objects.js';

const { namespace, operatorNamespace } = componentNames.etcd;

/** Source: cluster-etcd-operator pkg/operator/etcdendpointscontroller; the key is the one its render command makes. */
const endpoints: Loop = {
  name: 'endpoints',
  component: 'etcd',
  run: (store, { profile, node }) =>
    profile === 'OpenShift'
      ? store.put(configMap({ namespace, name: 'etcd-endpoints' }, { [node.endpointKey]: node.ip }))
      : store,
};

const targetConfig: Loop = {
  name: 'target config',
  component: 'etcd',
  run: (store, inputs) => store.put(podConfigMap('etcd', etcdPod(inputs, observedTls(store)))),
};

/** Source: cluster-etcd-operator pkg/operator/resourcesynccontroller */
const syncRules: readonly SyncRule[] = [
  {
    kind: 'ConfigMap',
    from: { namespace: systemNamespace, name: 'cluster-config-v1' },
    to: { namespace, name: 'cluster-config-v1' },
  },
  ...[
    { namespace: operatorNamespace, name: 'etcd-ca-bundle' },
    { namespace: userConfigNamespace, name: 'etcd-ca-bundle' },
    { namespace: userConfigNamespace, name: 'etcd-serving-ca' },
  ].map((to) => ({ kind: 'ConfigMap' as const, from: { namespace, name: 'etcd-ca-bundle' }, to })),
  {
    kind: 'ConfigMap',
    from: { namespace, name: 'etcd-metrics-ca-bundle' },
    to: { namespace: operatorNamespace, name: 'etcd-metric-serving-ca' },
  },
  {
    kind: 'Secret',
    from: { namespace, name: 'etcd-metric-client' },
    to: { namespace: operatorNamespace, name: 'etcd-metric-client' },
  },
  ...[operatorNamespace, userConfigNamespace].map((each) => ({
    kind: 'Secret' as const,
    from: { namespace, name: 'etcd-client' },
    to: { namespace: each, name: 'etcd-client' },
  })),
];

/** The loops of etcd's operator, as far as they decide what lies on the node. */
export const etcdLoops: ComponentLoops = {
  component: 'etcd',
  first: [etcdCertRotation, staticResources('etcd', etcdStaticObjects)],
  settling: [endpoints, targetConfig, resourceSync('etcd', syncRules)],
};

/**
 * What etcd's revision consists of: with OpenShift the operator's list, without what recovery alone reads. Every file that
 * the pod names is in the certs folder, which a renewal may write.
 * Source: cluster-etcd-operator pkg/operator/starter.go
 */
export function etcdRevision({ profile }: Pick<ControlPlaneInputs, 'profile'>): RevisionedObjects {
  const isOpenShift = profile === 'OpenShift';
  const bundles = { name: allBundlesName };
  const certs = { name: allCertsName };
  return {
    component: 'etcd',
    configMaps: [{ name: 'etcd-pod' }, ...(isOpenShift ? [{ name: 'etcd-endpoints' }, bundles] : [])],
    secrets: isOpenShift ? [certs] : [],
    certConfigMaps: [bundles],
    certSecrets: [certs],
  };
}
