import { componentNames } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import { installerAccount, monitoredNamespace, serviceAccount } from '../../loops/static-resources.js';
import { metricsService } from '../shared/metrics-service.js';
import { revisionedConfigMap } from '../shared/mounted-paths.js';
import { leaderLocking } from '../shared/rbac.js';
import { recoveryClient, syncerKubeconfig } from '../shared/recovery-client.js';
import { port } from './container.js';

const { namespace } = componentNames['kube-scheduler'];

/**
 * What must be there before kube-scheduler's operator. Rights to read policies from ConfigMaps, which no version from 1.23
 * on does, and network policies are left to it. Source: cluster-kube-scheduler-operator bindata/assets/kube-scheduler
 */
export const schedulerStaticObjects: readonly KubeObject[] = [
  monitoredNamespace(namespace),
  metricsService('kube-scheduler', { name: 'scheduler', port }),
  serviceAccount(namespace, 'openshift-kube-scheduler-sa'),
  leaderLocking('kube-scheduler'),
  ...recoveryClient('kube-scheduler'),
  syncerKubeconfig('kube-scheduler', {
    name: 'kube-scheduler-cert-syncer-kubeconfig',
    user: 'kube-scheduler',
    caFile: revisionedConfigMap('serviceaccount-ca'),
  }),
  ...installerAccount('kube-scheduler'),
];
