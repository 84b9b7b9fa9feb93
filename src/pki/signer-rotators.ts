import { componentNames, type Component, managedConfigNamespace } from '../kube/components.js';
import type { SignerName } from './installer-catalog.js';

/** Namespace and name of an object. */
export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

/** Common fields of signers and targets. */
export interface RotatorEntry {
  /** Lifetime in a cluster with operators, which refresh the certificate long before it ends. */
  readonly lifetimeDays: number;
  /** Component whose cert rotation loop manages the pair. */
  readonly component: Component;
  /** The Secret of the pair. */
  readonly secret: ObjectPlace;
}

/** A rotator of a CA and of its bundle. */
export interface SignerRotator extends RotatorEntry {
  /** The issuer of an intermediate CA, whose `.crt` then ends with the issuer's certificate; self-signed if absent. */
  readonly signer?: 'csr-signer-signer';
  readonly commonName: (secretName: string, unixTime: number) => string;
  /** ConfigMap of the CA bundle, key `ca-bundle.crt`. */
  readonly bundle: ObjectPlace;
  /** The installer's pair that is used instead during bootstrap in place. */
  readonly installers?: SignerName;
}

/** Length of a month in the operators. */
export const monthDays = 30;

/** Length of a year in the operators. */
export const yearDays = 365;

export const apiserver = componentNames['kube-apiserver'];
const controllerManager = componentNames['kube-controller-manager'];

export const etcd = componentNames.etcd;

/**
 * CAs by the name of their Secret.
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
