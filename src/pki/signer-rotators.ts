/** Where an object lives. */

import { componentNames, type Component, managedConfigNamespace } from '../kube/components.js';
import type { SignerName } from './installers-catalog.js';

/** Where a namespaced object stands. */
export interface ObjectPlace {
  readonly namespace: string;
  readonly name: string;
}

/** What authorities and signed pairs have in common. */
export interface RotatorEntry {
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

/** Days of a month, as the operators count. */
export const monthDays = 30;

/** Days of a year, as the operators count. */
export const yearDays = 365;

/** Namespaces of kube-apiserver and its operator. */
export const apiserver = componentNames['kube-apiserver'];
const controllerManager = componentNames['kube-controller-manager'];

/** Namespaces of etcd and its operator. */
export const etcd = componentNames.etcd;

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

/** A rotator of an authority, by the name of its Secret. */
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
