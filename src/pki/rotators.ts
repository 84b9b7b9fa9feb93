import type { DistinguishedName, ExtendedUsage } from '../formats/keys/x509.js';
import { managedConfigNamespace } from '../kube/components.js';
import type { HostnameFacts } from './hostnames.js';
import { apiServiceNames, etcdServerNames } from './hostnames.js';
import type { LeafName } from './installer-catalog.js';
import {
  apiserver,
  etcd,
  monthDays,
  type RotatorEntry,
  type SignerRotatorName,
  signerRotators,
  yearDays,
} from './signer-rotators.js';

/** A rotator of a server or client certificate. */
export interface TargetRotator extends RotatorEntry {
  readonly signer: SignerRotatorName;
  readonly subject: DistinguishedName | ((facts: HostnameFacts) => DistinguishedName);
  readonly usages: readonly ExtendedUsage[];
  readonly hostnames?: (facts: HostnameFacts) => readonly string[];
  /** The installer's pair that is used instead during bootstrap in place. */
  readonly installers?: LeafName;
  /** Set if the names include those of the node; the node issues the certificate if the installer does not know them. */
  readonly isOfNode?: true;
}

const client = { usages: ['clientAuth'] } as const;
const server = { usages: ['serverAuth'] } as const;
const both = { usages: ['clientAuth', 'serverAuth'] } as const;
const administrators = ['system:masters'];

/** Leaf certificates by the name of their Secret; names may contain placeholders of the node such as `@@node-name@@`. Sources as for `signerRotators`. */
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
    ...targetOf('aggregator-client', 'aggregator-client-signer', ({ naming }) => ({
      commonName: naming.proxyClient,
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
    hostnames: ({ naming }) => naming.loopback,
    installers: 'kube-apiserver-localhost-server',
  },
  'service-network-serving-certkey': {
    ...targetOf('service-network-serving-certkey', 'service-network-serving-signer', {
      commonName: 'kubernetes.default.svc',
    }),
    ...server,
    // The certificate for clients without SNI, which includes all that connect to an IP address. It contains the addresses of the
    // node and of the service.
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

/** All rotators, CAs first. */
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

/** The Secret's name ends with the node name. */
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
