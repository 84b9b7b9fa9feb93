import { componentNames, systemNamespace } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { installerAccount, monitoredNamespace, serviceAccount } from '../../loops/static-resources.js';
import { recoveryKubeconfig } from '../shared/file-kubeconfig.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { clusterRoleBinding, roleBinding, userSubject } from '../shared/rbac.js';

const { namespace } = componentNames['kube-scheduler'];

/**
 * What must be there before kube-scheduler's operator. Rights to read policies from ConfigMaps, which no version from 1.23
 * on does, and network policies are left to it. Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler
 */
export const schedulerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      namespace,
      name: 'scheduler',
      annotations: { 'service.beta.openshift.io/serving-cert-secret-name': 'serving-cert' },
      labels: { prometheus: 'kube-scheduler' },
    },
    spec: {
      selector: { scheduler: 'true' },
      ports: [{ name: 'https', port: 443, targetPort: 10259, protocol: 'TCP' }],
    },
  },
  serviceAccount(namespace, 'openshift-kube-scheduler-sa'),
  roleBinding(
    { namespace: systemNamespace, name: 'system:openshift:leader-locking-kube-scheduler' },
    { kind: 'Role', name: 'system::leader-locking-kube-scheduler' },
    userSubject('system:kube-scheduler'),
  ),
  serviceAccount(namespace, 'localhost-recovery-client'),
  clusterRoleBinding('system:openshift:operator:kube-scheduler-recovery', 'cluster-admin', {
    kind: 'ServiceAccount',
    namespace,
    name: 'localhost-recovery-client',
  }),
  configMap(
    { namespace, name: 'kube-scheduler-cert-syncer-kubeconfig' },
    { kubeconfig: recoveryKubeconfig('kube-scheduler', revisionedConfigMap('serviceaccount-ca')) },
  ),
  ...installerAccount('kube-scheduler'),
];
