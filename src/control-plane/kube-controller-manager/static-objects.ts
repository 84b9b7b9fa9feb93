import { componentNames, systemNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import {
  installerAccount,
  monitoredNamespace,
  operatorNamespace,
  serviceAccount,
} from '../../loops/static-resources.js';
import { recoveryKubeconfig } from '../shared/file-kubeconfig.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { clusterRoleBinding, roleBinding, userSubject } from '../shared/rbac.js';
import { policyControllerRights } from './policy-controller-rights.js';
import { infraNamespace } from './recycler.js';

const { namespace } = componentNames['kube-controller-manager'];
const itself = userSubject('system:kube-controller-manager');

/**
 * What must be there before kube-controller-manager's operator: namespaces, accounts, and the rights without which no
 * namespace would get the user ids that pods are admitted by. Its alerts and network policies the operator makes itself.
 * Source: cluster-kube-controller-manager-operator bindata/assets/kube-controller-manager
 */
export const controllerManagerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  operatorNamespace(componentNames['kube-controller-manager'].operatorNamespace),
  sharedNamespace(),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      namespace,
      name: 'kube-controller-manager',
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'serving-cert' },
      labels: { prometheus: 'kube-controller-manager' },
    },
    spec: {
      selector: { 'kube-controller-manager': 'true' },
      ports: [{ name: 'https', port: 443, targetPort: 10257, protocol: 'TCP' }],
    },
  },
  serviceAccount(namespace, 'kube-controller-manager-sa'),
  serviceAccount(infraNamespace, 'pv-recycler-controller'),
  roleBinding(
    { namespace: systemNamespace, name: 'system:openshift:leader-locking-kube-controller-manager' },
    { kind: 'Role', name: 'system::leader-locking-kube-controller-manager' },
    itself,
  ),
  ...policyControllerRights,
  serviceAccount(namespace, 'localhost-recovery-client'),
  clusterRoleBinding('system:openshift:operator:kube-controller-manager-recovery', 'cluster-admin', {
    kind: 'ServiceAccount',
    namespace,
    name: 'localhost-recovery-client',
  }),
  configMap(
    { namespace, name: 'kube-controller-cert-syncer-kubeconfig' },
    { kubeconfig: recoveryKubeconfig('kube-controller-manager', revisionedConfigMap('serviceaccount-ca')) },
  ),
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
      labels: {
        'pod-security.kubernetes.io/audit': 'privileged',
        'pod-security.kubernetes.io/enforce': 'privileged',
        'pod-security.kubernetes.io/warn': 'privileged',
      },
    },
  };
}
