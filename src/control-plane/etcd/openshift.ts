import { componentNames } from '../../kube/components.js';
import { configMap } from '../../kube/core-objects.js';
import type { KubeObject } from '../../kube/object.js';
import { type LoopInputs, payloadOf } from '../loops/loop-inputs.js';
import { controlPlaneNamespace, installerAccount, serviceAccount } from '../loops/static-resources.js';
import { denyAll, networkPolicy, ofApps } from '../shared/network-policy.js';
import { openShiftPod } from '../shared/static-pod.js';
import type { TlsProfile } from '../shared/tls-profile.js';
import { hasFeatureGates } from './arguments.js';
import { allBundlesName, allCertsName } from './certificates.js';
import type { EtcdListeners } from './config-model.js';
import { dataVolume, etcdHosts } from './config.js';
import { openShiftContainers } from './containers.js';
import type { EtcdDialect } from './dialect.js';

const { namespace } = componentNames.etcd;

/**
 * Objects that must exist before etcd's operator: the namespace of the static pod. The operator creates its monitors and
 * backups itself. Source: cluster-etcd-operator bindata/etcd
 */
const etcdStaticObjects: readonly KubeObject[] = [
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

/** Source: cluster-etcd-operator bindata/etcd, networkpolicy-*.yaml */
const etcdPolicies: readonly KubeObject[] = [
  networkPolicy(namespace, 'allow-all-egress', {
    podSelector: ofApps('guard', 'installer', 'pruner', 'cluster-backup-cronjob', 'tnf-job'),
    egress: [
      {},
      {
        ports: [53, 5353].flatMap((port) => ['UDP', 'TCP'].map((protocol) => ({ protocol, port }))),
      },
    ],
    policyTypes: ['Egress'],
  }),
  networkPolicy(namespace, 'default-deny', denyAll),
];

export const openShiftEtcd: EtcdDialect = {
  pod: (inputs, config) =>
    openShiftPod({
      component: 'etcd',
      name: 'etcd',
      labels: { app: 'etcd', etcd: 'true', 'k8s-app': 'etcd' },
      mainContainer: 'etcd',
      containers: openShiftContainers(inputs, config),
      volumes: [dataVolume, { name: 'tmp-dir', emptyDir: {} }],
    }),
  listening: ofOperators,
  servesMetricsApart: true,
  // Source: cluster-etcd-operator pkg/operator/etcdendpointscontroller; the data key is that of its render command.
  endpoints: ({ node }) => [
    configMap({ namespace, name: 'etcd-endpoints' }, { [node.endpointKey]: node.ip }),
  ],
  staticObjects: (inputs) => [
    ...etcdStaticObjects,
    ...(payloadOf(inputs).hasNetworkPolicies ? etcdPolicies : []),
  ],
  // The operator's list without the objects that only recovery reads. Source: cluster-etcd-operator pkg/operator/starter.go
  revision: {
    component: 'etcd',
    configMaps: [{ name: 'etcd-pod' }, { name: 'etcd-endpoints' }, { name: allBundlesName }],
    secrets: [{ name: allCertsName }],
    certConfigMaps: [{ name: allBundlesName }],
    certSecrets: [{ name: allCertsName }],
  },
};

/** Settings of cluster-etcd-operator: bindata/etcd/pod.gotpl.yaml, pkg/etcdenvvar, pkg/hwspeedhelpers. */
function ofOperators(inputs: LoopInputs, { cipherSuites, minVersion }: TlsProfile): EtcdListeners {
  const { all } = etcdHosts(inputs);
  const { urlHost } = inputs.node;
  return {
    client: { listenUrl: `https://${all}:2379`, advertiseUrl: `https://${urlHost}:2379` },
    peer: { listenUrl: `https://${all}:2380`, advertiseUrl: `https://${urlHost}:2380` },
    metrics: { listenUrl: `https://${all}:9978`, isExtensive: true },
    // The default of etcd 3.6; operators set it explicitly for etcd 3.5. Source: cluster-etcd-operator bindata/etcd/pod.gotpl.yaml, release-4.18 to 4.20
    ...(!hasFeatureGates({ version: inputs.versions.etcd }) && { snapshotCount: 10_000 }),
    tuning: {
      heartbeatMs: 100,
      electionMs: 1000,
      warningApplyMs: 200,
      maxLearners: 1,
      // etcd rejects cipher suites together with TLS 1.3, whose suites are not configurable.
      ...(minVersion === 'VersionTLS13' ? { minTls: 'TLS1.3' } : { minTls: 'TLS1.2', cipherSuites }),
    },
  };
}
