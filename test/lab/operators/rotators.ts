import { releaseOf } from '../../shell/support/payload.js';
import { clusterDomain, nodeAddress, nodeName } from '../site.js';

/** A Secret that an operator rotates, and the expected issuer and names. */
export interface Rotator {
  readonly namespace: string;
  readonly name: string;
  /** The ConfigMap with the CA bundle that must contain the issuer. Undefined for a self-signed CA. */
  readonly bundle?: { readonly namespace: string; readonly name: string };
  /** The exact set of host names. Undefined for client certificates and CAs. */
  readonly hostnames?: readonly string[];
}

/**
 * The certificates that the operators of a release rotate on the lab's node. Source: certrotationcontroller of the
 * kube-apiserver operator, pkg/tlshelpers of the etcd operator
 */
export function rotatorsOf(minor: number): readonly Rotator[] {
  return [...apiserverRotators, ...etcdRotators(minor)];
}

const serviceNames = ['kubernetes', 'openshift'].flatMap((service) =>
  ['', '.default', '.default.svc', '.default.svc.cluster.local'].map((suffix) => `${service}${suffix}`),
);

const apiserverRotators: readonly Rotator[] = [
  {
    ...apiserver('aggregator-client'),
    bundle: { namespace: 'openshift-config-managed', name: 'kube-apiserver-aggregator-client-ca' },
  },
  { ...apiserver('kubelet-client'), bundle: authority('kube-apiserver-to-kubelet-client-ca') },
  {
    ...apiserver('localhost-serving-cert-certkey'),
    bundle: authority('localhost-serving-ca'),
    hostnames: ['localhost', '127.0.0.1'],
  },
  {
    ...apiserver('service-network-serving-certkey'),
    bundle: authority('service-network-serving-ca'),
    hostnames: [...serviceNames, '172.30.0.1'],
  },
  {
    ...apiserver('external-loadbalancer-serving-certkey'),
    bundle: authority('loadbalancer-serving-ca'),
    hostnames: [`api.${clusterDomain}`],
  },
  {
    ...apiserver('internal-loadbalancer-serving-certkey'),
    bundle: authority('loadbalancer-serving-ca'),
    hostnames: [`api-int.${clusterDomain}`],
  },
  {
    ...apiserver('localhost-recovery-serving-certkey'),
    bundle: authority('localhost-recovery-serving-ca'),
    hostnames: ['localhost-recovery'],
  },
  {
    namespace: 'openshift-config-managed',
    name: 'kube-controller-manager-client-cert-key',
    bundle: authority('kube-control-plane-signer-ca'),
  },
  {
    namespace: 'openshift-config-managed',
    name: 'kube-scheduler-client-cert-key',
    bundle: authority('kube-control-plane-signer-ca'),
  },
  {
    ...apiserver('control-plane-node-admin-client-cert-key'),
    bundle: authority('kube-control-plane-signer-ca'),
  },
  { ...apiserver('check-endpoints-client-cert-key'), bundle: authority('kube-control-plane-signer-ca') },
  ...[
    'aggregator-client-signer',
    'kube-apiserver-to-kubelet-signer',
    'localhost-serving-signer',
    'service-network-serving-signer',
    'loadbalancer-serving-signer',
    'localhost-recovery-serving-signer',
    'kube-control-plane-signer',
  ].map((name) => ({ namespace: 'openshift-kube-apiserver-operator', name })),
];

function apiserver(name: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'openshift-kube-apiserver', name };
}

function authority(name: string): { readonly namespace: string; readonly name: string } {
  return { namespace: 'openshift-kube-apiserver-operator', name };
}

const etcdHostnames = [
  'localhost',
  '127.0.0.1',
  '::1',
  'etcd.kube-system.svc',
  'etcd.kube-system.svc.cluster.local',
  'etcd.openshift-etcd.svc',
  'etcd.openshift-etcd.svc.cluster.local',
  nodeAddress,
];

function etcdRotators(minor: number): readonly Rotator[] {
  const bundle = { namespace: 'openshift-etcd', name: 'etcd-ca-bundle' };
  const metrics = { namespace: 'openshift-etcd', name: 'etcd-metrics-ca-bundle' };
  const etcd = (name: string) => ({ namespace: 'openshift-etcd', name });
  return [
    ...releaseOf(minor).etcd.signerNamespaces.flatMap((namespace) =>
      ['etcd-signer', 'etcd-metric-signer'].map((name) => ({ namespace, name })),
    ),
    { ...etcd(`etcd-peer-${nodeName}`), bundle, hostnames: etcdHostnames },
    { ...etcd(`etcd-serving-${nodeName}`), bundle, hostnames: etcdHostnames },
    { ...etcd(`etcd-serving-metrics-${nodeName}`), bundle: metrics, hostnames: etcdHostnames },
    { ...etcd('etcd-client'), bundle },
    { ...etcd('etcd-metric-client'), bundle: metrics },
  ];
}
