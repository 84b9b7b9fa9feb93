import { componentNames, systemNamespace, userConfigNamespace } from '../../kube/components.js';
import type { ComponentLoops, Loop } from '../loops/loop.js';
import { resourceSync, type SyncRule } from '../loops/resource-sync.js';
import { staticResources } from '../loops/static-resources.js';
import { targetConfigLoop } from '../loops/target-config-loop.js';
import { podConfigMap } from '../shared/static-pod.js';
import { observedTls } from '../shared/tls-profile.js';
import { etcdCertRotation } from './certificates.js';
import { etcdConfig } from './config.js';
import type { EtcdDialect } from './dialect.js';

const { namespace, operatorNamespace } = componentNames.etcd;

function endpoints(dialect: EtcdDialect): Loop {
  return {
    name: 'endpoints',
    component: 'etcd',
    run: (store, inputs) => store.putAll(dialect.endpoints(inputs)),
  };
}

function targetConfig(dialect: EtcdDialect): Loop {
  return targetConfigLoop('etcd', (store, inputs) => {
    const config = etcdConfig(dialect, inputs, observedTls(store));
    return [podConfigMap('etcd', dialect.pod(inputs, config))];
  });
}

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

/** The loops of etcd's operator that affect files on the node. */
export function etcdLoops(dialect: EtcdDialect): ComponentLoops {
  return {
    component: 'etcd',
    first: [etcdCertRotation(dialect), staticResources('etcd', dialect.staticObjects)],
    settling: [endpoints(dialect), targetConfig(dialect), resourceSync('etcd', syncRules)],
  };
}
