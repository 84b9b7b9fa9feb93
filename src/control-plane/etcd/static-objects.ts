import { componentNames } from '../../kube/components.js';
import type { KubeObject } from '../../kube/object.js';
import { controlPlaneNamespace, installerAccount, serviceAccount } from '../../loops/static-resources.js';

const { namespace } = componentNames.etcd;

/**
 * What must be there before etcd's operator: its namespace, in which the static pod appears. Its monitors, backups and
 * network policies it makes itself. Source: cluster-etcd-operator bindata/etcd
 */
export const etcdStaticObjects: readonly KubeObject[] = [
  controlPlaneNamespace(namespace),
  serviceAccount(namespace, 'etcd-sa'),
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      namespace,
      name: 'etcd',
      annotations: {
        'prometheus.io/scheme': 'https',
        'prometheus.io/scrape': 'true',
        'service.beta.openshift.io/serving-cert-secret-name': 'serving-cert',
      },
      labels: { 'k8s-app': 'etcd' },
    },
    spec: {
      selector: { etcd: 'true' },
      ports: [
        { name: 'etcd', port: 2379, protocol: 'TCP' },
        { name: 'etcd-metrics', port: 9979, protocol: 'TCP' },
      ],
    },
  },
  ...installerAccount('etcd'),
];
