import { componentNames, managedConfigNamespace } from '../../kube/components.js';
import type { ControlPlaneInputs } from '../../loops/loop-inputs.js';
import type { ComponentLoops } from '../../loops/loop.js';
import { resourceSync } from '../../loops/resource-sync.js';
import type { RevisionedObjects } from '../../loops/revision.js';
import { staticResources } from '../../loops/static-resources.js';
import { configObservation } from './observation.js';
import { schedulerStaticObjects } from './static-objects.js';
import { targetConfig } from './target-config.js';

const { namespace } = componentNames['kube-scheduler'];
const clientPair = 'kube-scheduler-client-cert-key';

/** Its certificate comes from kube-apiserver's loops. Source: cluster-kube-scheduler-operator pkg/operator/starter.go */
export const kubeSchedulerLoops: ComponentLoops = {
  component: 'kube-scheduler',
  first: [staticResources('kube-scheduler', schedulerStaticObjects)],
  settling: [
    configObservation,
    targetConfig,
    resourceSync('kube-scheduler', [
      {
        kind: 'Secret',
        from: { namespace: managedConfigNamespace, name: clientPair },
        to: { namespace, name: clientPair },
      },
    ]),
  ],
};

/** What the static pod reads; with OpenShift what the operator's list has besides. */
export function kubeSchedulerRevision({ profile }: Pick<ControlPlaneInputs, 'profile'>): RevisionedObjects {
  const ofOperator = profile === 'OpenShift';
  return {
    component: 'kube-scheduler',
    configMaps: [
      { name: 'kube-scheduler-pod' },
      { name: 'config' },
      { name: 'serviceaccount-ca' },
      { name: 'scheduler-kubeconfig' },
      ...(ofOperator ? [{ name: 'kube-scheduler-cert-syncer-kubeconfig' }] : []),
    ],
    secrets: ofOperator ? [{ name: 'localhost-recovery-client-token', isOptional: true }] : [],
    certConfigMaps: [],
    certSecrets: [{ name: clientPair }],
  };
}
