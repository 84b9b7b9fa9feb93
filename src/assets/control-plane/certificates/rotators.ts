import type { DistinguishedName, ExtendedUsage } from '../../../formats/x509.js';
import type { LeafName, SignerName } from '../../tls/catalog.js';
import { componentNames, managedConfigNamespace, type Component } from '../components.js';
import type { HostnameFacts } from '../facts.js';
import { apiServiceNames, etcdServerNames, loopbackNames } from './hostnames.js';

/** Where an object lives. */
export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

interface RotatorEntry {
  /** How long it holds in a cluster with operators, in days; refreshed by them long before. */
  readonly lifetimeDays: number;
  /** Whose cert rotation loop it belongs to. */
  readonly component: Component;
  /** The Secret with the pair. */
  readonly secret: ObjectPlace;
}

/** A certificate authority that signs, and the bundle that those who verify read. */
export interface SignerRotator extends RotatorEntry {
  /** A self-signed authority, or one below another: an intermediate, whose `.crt` then ends with the signer's. */
  readonly signer?: 'csr-signer-signer';
  readonly commonName: (secretName: string, unixTime: number) => string;
  /** ConfigMap with the authorities that count, key `ca-bundle.crt`. */
  readonly bundle: ObjectPlace;
  /** The pair of the installer's inventory that takes this place during bootstrap in place. */
  readonly installers?: SignerName;
}

/** A certificate for a server or a client. */
export interface TargetRotator extends RotatorEntry {
  readonly signer: SignerRotatorName;
  readonly subject: DistinguishedName | ((facts: HostnameFacts) => DistinguishedName);
  readonly usages: readonly ExtendedUsage[];
  readonly hostnames?: (facts: HostnameFacts) => readonly string[];
  /** The pair of the installer's inventory that takes this place during bootstrap in place. */
  readonly installers?: LeafName;
  /** Whether the names hold the node's own, so that the node must issue it when the installer does not know them. */
  readonly isOfNode?: true;
}

const monthDays = 30;
const yearDays = 365;
const apiserver = componentNames['kube-apiserver'];
const controllerManager = componentNames['kube-controller-manager'];
const etcd = componentNames.etcd;

/**
 * Every authority by the name of its Secret.
 * Source: cluster-kube-apiserver-operator pkg/operator/certrotationcontroller, cluster-etcd-operator pkg/tlshelpers,
 * cluster-kube-controller-manager-operator pkg/operator/certrotationcontroller
 */
export const signerRotators = {
  'etcd-signer': ofEtcd('etcd-signer', 'etcd-ca-bundle'),
  'etcd-metric-signer': ofEtcd('etcd-metric-signer', 'etcd-metrics-ca-bundle'),
  'aggregator-client-signer': {
    ...ofApiserver('aggregator-client-signer', 'kube-apiserver-aggregator-client-ca'),
    bundle: { namespace: managedConfigNamespace, name: 'kube-apiserver-aggregator-client-ca' },
    installers: 'aggregator-signer',
  },
  'kube-apiserver-to-kubelet-signer': {
    ...ofApiserver('kube-apiserver-to-kubelet-signer', 'kube-apiserver-to-kubelet-client-ca'),
    installers: 'kube-apiserver-to-kubelet-signer',
  },
  'localhost-serving-signer': {
    ...ofApiserver('localhost-serving-signer', 'localhost-serving-ca'),
    installers: 'kube-apiserver-localhost-signer',
  },
  'service-network-serving-signer': {
    ...ofApiserver('service-network-serving-signer', 'service-network-serving-ca'),
    installers: 'kube-apiserver-service-network-signer',
  },
  'loadbalancer-serving-signer': {
    ...ofApiserver('loadbalancer-serving-signer', 'loadbalancer-serving-ca'),
    installers: 'kube-apiserver-lb-signer',
  },
  'localhost-recovery-serving-signer': ofApiserver(
    'localhost-recovery-serving-signer',
    'localhost-recovery-serving-ca',
  ),
  'kube-control-plane-signer': {
    ...ofApiserver('kube-control-plane-signer', 'kube-control-plane-signer-ca'),
    installers: 'kube-control-plane-signer',
  },
  'node-system-admin-signer': ofApiserver('node-system-admin-signer', 'node-system-admin-ca', 3 * yearDays),
  'csr-signer-signer': {
    component: 'kube-controller-manager',
    lifetimeDays: 60,
    secret: { namespace: controllerManager.operatorNamespace, name: 'csr-signer-signer' },
    commonName: signerCommonName(controllerManager.operatorNamespace),
    bundle: { namespace: controllerManager.operatorNamespace, name: 'csr-controller-signer-ca' },
    installers: 'kubelet-signer',
  },
  'csr-signer': {
    component: 'kube-controller-manager',
    lifetimeDays: 30,
    signer: 'csr-signer-signer',
    secret: { namespace: controllerManager.operatorNamespace, name: 'csr-signer' },
    commonName: (_name, unixTime) => `kube-csr-signer_@${unixTime}`,
    bundle: { namespace: controllerManager.operatorNamespace, name: 'csr-signer-ca' },
  },
} as const satisfies Readonly<Record<string, SignerRotator>>;

export type SignerRotatorName = keyof typeof signerRotators;

const client = { usages: ['clientAuth'] } as const;
const server = { usages: ['serverAuth'] } as const;
const both = { usages: ['clientAuth', 'serverAuth'] } as const;
const administrators = ['system:masters'];

/** Every leaf by the name of its Secret; `@@node-name@@`-like parts of names are the node's. Sources as above. */
export const targetRotators = {
  'etcd-peer': ofNode('etcd-peer', 'etcd-signer'),
  'etcd-serving': ofNode('etcd-serving', 'etcd-signer'),
  'etcd-serving-metrics': ofNode('etcd-serving-metrics', 'etcd-metric-signer'),
  'etcd-client': {
    component: 'etcd',
    lifetimeDays: 5 * yearDays,
    secret: { namespace: etcd.namespace, name: 'etcd-client' },
    signer: 'etcd-signer',
    subject: { organizations: ['system:etcd', 'etcd-client'], commonName: 'etcd-client' },
    ...client,
  },
  'etcd-metric-client': {
    component: 'etcd',
    lifetimeDays: 5 * yearDays,
    secret: { namespace: etcd.namespace, name: 'etcd-metric-client' },
    signer: 'etcd-metric-signer',
    subject: { organizations: ['system:etcd', 'etcd-metric'], commonName: 'etcd-metric' },
    ...client,
  },
  'aggregator-client': {
    ...targetOf('aggregator-client', 'aggregator-client-signer', ({ profile }) => ({
      // Without operators the name that kubeadm uses.
      commonName: profile === 'OpenShift' ? 'system:openshift-aggregator' : 'front-proxy-client',
    })),
    ...client,
    installers: 'aggregator-client',
  },
  'kubelet-client': {
    ...targetOf('kubelet-client', 'kube-apiserver-to-kubelet-signer', {
      organizations: ['kube-master'],
      commonName: 'system:kube-apiserver',
    }),
    ...client,
    installers: 'kube-apiserver-to-kubelet-client',
  },
  'localhost-serving-cert-certkey': {
    ...targetOf('localhost-serving-cert-certkey', 'localhost-serving-signer', { commonName: 'localhost' }),
    ...server,
    hostnames: loopbackNames,
    installers: 'kube-apiserver-localhost-server',
  },
  'service-network-serving-certkey': {
    ...targetOf('service-network-serving-certkey', 'service-network-serving-signer', {
      commonName: 'kubernetes.default.svc',
    }),
    ...server,
    // It answers clients that name no host, all those that use an address, so it holds the node's as well as the service's.
    hostnames: (facts) => [...apiServiceNames(facts), ...facts.apiServer.extraNames],
    installers: 'kube-apiserver-service-network-server',
  },
  'external-loadbalancer-serving-certkey': {
    ...targetOf('external-loadbalancer-serving-certkey', 'loadbalancer-serving-signer', ({ apiServer }) => ({
      commonName: apiServer.externalHost,
    })),
    ...server,
    hostnames: ({ apiServer }) => [apiServer.externalHost],
    installers: 'kube-apiserver-lb-server',
  },
  'internal-loadbalancer-serving-certkey': {
    ...targetOf('internal-loadbalancer-serving-certkey', 'loadbalancer-serving-signer', ({ apiServer }) => ({
      commonName: apiServer.internalHost,
    })),
    ...server,
    hostnames: ({ apiServer }) => [apiServer.internalHost],
    installers: 'kube-apiserver-internal-lb-server',
  },
  'localhost-recovery-serving-certkey': {
    ...targetOf('localhost-recovery-serving-certkey', 'localhost-recovery-serving-signer', {
      commonName: 'localhost-recovery',
    }),
    lifetimeDays: 10 * yearDays,
    ...server,
    hostnames: () => ['localhost-recovery'],
  },
  'kube-controller-manager-client-cert-key': {
    ...targetOf('kube-controller-manager-client-cert-key', 'kube-control-plane-signer', {
      commonName: 'system:kube-controller-manager',
    }),
    secret: { namespace: managedConfigNamespace, name: 'kube-controller-manager-client-cert-key' },
    ...client,
  },
  'kube-scheduler-client-cert-key': {
    ...targetOf('kube-scheduler-client-cert-key', 'kube-control-plane-signer', {
      commonName: 'system:kube-scheduler',
    }),
    secret: { namespace: managedConfigNamespace, name: 'kube-scheduler-client-cert-key' },
    ...client,
  },
  'control-plane-node-admin-client-cert-key': {
    ...targetOf('control-plane-node-admin-client-cert-key', 'kube-control-plane-signer', {
      organizations: administrators,
      commonName: 'system:control-plane-node-admin',
    }),
    ...client,
  },
  'check-endpoints-client-cert-key': {
    ...targetOf('check-endpoints-client-cert-key', 'kube-control-plane-signer', {
      commonName: 'system:serviceaccount:openshift-kube-apiserver:check-endpoints',
    }),
    ...client,
  },
  'node-system-admin-client': {
    ...targetOf('node-system-admin-client', 'node-system-admin-signer', {
      organizations: administrators,
      commonName: 'system:admin',
    }),
    secret: { namespace: apiserver.operatorNamespace, name: 'node-system-admin-client' },
    lifetimeDays: 2 * yearDays,
    ...client,
  },
} as const satisfies Readonly<Record<string, TargetRotator>>;

export type TargetRotatorName = keyof typeof targetRotators;

export type RotatorName = SignerRotatorName | TargetRotatorName;

/** Every rotator, authorities first. */
export const rotatorNames: readonly RotatorName[] = [
  ...Object.keys(signerRotators).filter(isSignerName),
  ...Object.keys(targetRotators).filter(isTargetName),
];

export function isSignerName(name: string): name is SignerRotatorName {
  return Object.hasOwn(signerRotators, name);
}

export function isTargetName(name: string): name is TargetRotatorName {
  return Object.hasOwn(targetRotators, name);
}

function signerCommonName(namespace: string): SignerRotator['commonName'] {
  return (name, unixTime) => `${namespace}_${name}@${unixTime}`;
}

function ofEtcd(name: string, bundle: string): SignerRotator {
  const { namespace } = etcd;
  return {
    component: 'etcd',
    lifetimeDays: 5 * yearDays,
    secret: { namespace, name },
    commonName: signerCommonName(namespace),
    bundle: { namespace, name: bundle },
  };
}

function ofApiserver(name: string, bundle: string, lifetimeDays = 10 * yearDays): SignerRotator {
  const { operatorNamespace: namespace } = apiserver;
  return {
    component: 'kube-apiserver',
    lifetimeDays,
    secret: { namespace, name },
    commonName: signerCommonName(namespace),
    bundle: { namespace, name: bundle },
  };
}

function targetOf(
  name: string,
  signer: SignerRotatorName,
  subject: TargetRotator['subject'],
): Omit<TargetRotator, 'usages'> {
  return {
    component: 'kube-apiserver',
    lifetimeDays: monthDays,
    secret: { namespace: apiserver.namespace, name },
    signer,
    subject,
  };
}

/** The name of the Secret ends in the node's. */
function ofNode(base: string, signer: SignerRotatorName): TargetRotator {
  return {
    component: 'etcd',
    lifetimeDays: 5 * yearDays,
    secret: { namespace: etcd.namespace, name: base },
    signer,
    subject: (facts) => ({ commonName: etcdServerNames(facts)[0] ?? 'etcd' }),
    ...both,
    hostnames: etcdServerNames,
    isOfNode: true,
  };
}
