/**
 * CAs that can be intermediates of the user's CA, by their names in the installer's inventory. Decision 36 gives the reasons: only the
 * control plane itself trusts the CAs of etcd and the aggregator.
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

export type ReplaceableSigner = (typeof replaceableSigners)[number];
