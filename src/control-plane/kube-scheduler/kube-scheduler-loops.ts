import { componentNames, managedConfigNamespace } from '../../kube/components.js';
import type { ComponentLoops } from '../../loops/loop.js';
import { resourceSync } from '../../loops/resource-sync.js';
import { staticResources } from '../../loops/static-resources.js';
import type { SchedulerDialect } from './dialect.js';
import { configObservation } from './observation.js';
import { clientPair } from './read-objects.js';
import { targetConfig } from './target-config.js';

const { namespace } = componentNames['kube-scheduler'];

/** Its certificate comes from kube-apiserver's loops. Source: cluster-kube-scheduler-operator pkg/operator/starter.go */
export function kubeSchedulerLoops(dialect: SchedulerDialect): ComponentLoops {
  return {
    component: 'kube-scheduler',
    first: [staticResources('kube-scheduler', dialect.staticObjects)],
    settling: [
      configObservation,
      targetConfig(dialect),
      resourceSync('kube-scheduler', [
        {
          kind: 'Secret',
          from: { namespace: managedConfigNamespace, name: clientPair },
          to: { namespace, name: clientPair },
        },
      ]),
    ],
  };
}
