import { componentNames } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import {
  installerAccount,
  monitoredNamespace,
  operatorNamespace,
  privilegedPods,
  serviceAccount,
} from '../../loops/static-resources.js';
import { metricsService } from '../shared/metrics-service.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { leaderLocking } from '../shared/rbac.js';
import { recoveryClient, syncerKubeconfig } from '../shared/recovery-client.js';
import { port } from './container.js';
import { policyControllerRights } from './policy-controller-rights.js';
import { infraNamespace } from './recycler.js';

const { namespace } = componentNames['kube-controller-manager'];

/**
 * What must be there before kube-controller-manager's operator: namespaces, accounts, and the rights without which no
 * namespace would get the user ids that pods are admitted by. Its alerts and network policies the operator makes itself.
 * Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager
 */
export const controllerManagerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  operatorNamespace(componentNames['kube-controller-manager'].operatorNamespace),
  sharedNamespace(),
  metricsService('kube-controller-manager', { name: 'kube-controller-manager', port }),
  serviceAccount(namespace, 'kube-controller-manager-sa'),
  serviceAccount(infraNamespace, 'pv-recycler-controller'),
  leaderLocking('kube-controller-manager'),
  ...policyControllerRights,
  ...recoveryClient('kube-controller-manager'),
  syncerKubeconfig('kube-controller-manager', {
    name: 'kube-controller-cert-syncer-kubeconfig',
    user: 'kube-controller-manager',
    caFile: revisionedConfigMap('serviceaccount-ca'),
  }),
  ...installerAccount('kube-controller-manager'),
];

/** Its pods go through the cluster's own admission, unlike those of the control plane. */
function sharedNamespace(): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: infraNamespace,
      annotations: { 'workload.openshift.io/allowed': 'management' },
      labels: privilegedPods,
    },
  };
}
