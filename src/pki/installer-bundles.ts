import type { SignerName } from './installer-catalog.js';

/** Concatenated CA certificates by file base name; members in file order. */
export const bundleCatalog = {
  'admin-kubeconfig-ca-bundle': ['admin-kubeconfig-signer'],
  'aggregator-ca-bundle': ['aggregator-signer'],
  'kube-apiserver-to-kubelet-ca-bundle': ['kube-apiserver-to-kubelet-signer'],
  'kube-apiserver-localhost-ca-bundle': ['kube-apiserver-localhost-signer'],
  'kube-apiserver-service-network-ca-bundle': ['kube-apiserver-service-network-signer'],
  'kube-apiserver-lb-ca-bundle': ['kube-apiserver-lb-signer'],
  'kube-apiserver-complete-server-ca-bundle': [
    'kube-apiserver-localhost-signer',
    'kube-apiserver-service-network-signer',
    'kube-apiserver-lb-signer',
  ],
  'kube-apiserver-complete-client-ca-bundle': [
    'admin-kubeconfig-signer',
    'kubelet-signer',
    'kube-control-plane-signer',
    'kube-apiserver-to-kubelet-signer',
    'kubelet-bootstrap-kubeconfig-signer',
  ],
  'kube-control-plane-ca-bundle': [
    'kube-control-plane-signer',
    'kube-apiserver-lb-signer',
    'kube-apiserver-localhost-signer',
    'kube-apiserver-service-network-signer',
  ],
  'kubelet-client-ca-bundle': ['kubelet-signer'],
  'kubelet-serving-ca-bundle': ['kubelet-signer'],
  'kubelet-bootstrap-kubeconfig-ca-bundle': ['kubelet-bootstrap-kubeconfig-signer'],
} as const satisfies Readonly<Record<string, readonly SignerName[]>>;

export type BundleName = keyof typeof bundleCatalog;
