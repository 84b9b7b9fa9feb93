/**
 * The authorities that may stand below one of the user's, as the installer's inventory calls them. Decision 36 says why these: etcd and the
 * aggregator are believed by nobody but the control plane itself.
 */
export const replaceableSigners = [
  'kube-apiserver-lb-signer',
  'kube-apiserver-service-network-signer',
  'kube-apiserver-localhost-signer',
  'root-ca',
  'admin-kubeconfig-signer',
  'kube-control-plane-signer',
  'kube-apiserver-to-kubelet-signer',
  'kubelet-bootstrap-kubeconfig-signer',
  'kubelet-signer',
] as const;

/** One of them. */
export type ReplaceableSigner = (typeof replaceableSigners)[number];
