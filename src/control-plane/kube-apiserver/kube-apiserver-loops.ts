import type { ComponentLoops } from '../../loops/loop.js';
import { resourceSync } from '../../loops/resource-sync.js';
import { certRotation } from '../../loops/rotation.js';
import { staticResources } from '../../loops/static-resources.js';
import { auditPolicy } from './audit-policy.js';
import { boundTokens } from './bound-tokens.js';
import type { ApiserverDialect } from './dialect.js';
import { encryption } from './encryption.js';
import { nodeKubeconfigs } from './node-kubeconfigs.js';
import { configObservation } from './observation.js';
import { kubeApiserverSyncRules } from './sync.js';
import { targetConfig } from './target-config.js';

/** Source: cluster-kube-apiserver-operator pkg/operator/starter.go */
export function kubeApiserverLoops(dialect: ApiserverDialect): ComponentLoops {
  return {
    component: 'kube-apiserver',
    first: [
      certRotation('kube-apiserver'),
      encryption(dialect),
      boundTokens,
      auditPolicy(dialect),
      staticResources('kube-apiserver', dialect.staticObjects),
    ],
    settling: [
      configObservation(dialect),
      targetConfig(dialect),
      resourceSync('kube-apiserver', kubeApiserverSyncRules),
      nodeKubeconfigs(dialect),
    ],
  };
}
