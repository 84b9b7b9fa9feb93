/**
 * Whether a render on the node writes a manifest of this name, over one that is there already.
 * Sources: bindata/bootkube/manifests of openshift/cluster-{etcd,kube-apiserver,kube-controller-manager,
 * kube-scheduler}-operator; manifests of openshift/cluster-ingress-operator and openshift/machine-config-operator.
 */
export function isWrittenOnNode(baseName: string): boolean {
  return prefixes.some((prefix) => baseName.startsWith(prefix)) || names.has(baseName);
}

/** `0000_` starts the names of the release payload, `cluster-ingress-0…` those of the ingress render. */
const prefixes: readonly string[] = ['0000_', 'cluster-ingress-00-', 'cluster-ingress-01-'];

const names: ReadonlySet<string> = new Set([
  // cluster-etcd-operator
  '00_etcd-endpoints-cm.yaml',
  '00_etcd-host-service-endpoints.yaml',
  '00_etcd-host-service.yaml',
  '00_openshift-etcd-ns.yaml',
  '01_etcd-host-service-endpoints.yaml',
  'etcd-ca-bundle-configmap.yaml',
  'etcd-client-secret.yaml',
  'etcd-metric-client-secret.yaml',
  'etcd-metric-serving-ca-configmap.yaml',
  'etcd-metric-signer-secret.yaml',
  'etcd-serving-ca-configmap.yaml',
  'etcd-signer-secret.yaml',
  // cluster-kube-apiserver-operator
  '00_openshift-config-managed-ns.yaml',
  '00_openshift-config-ns.yaml',
  '00_openshift-kube-apiserver-ns.yaml',
  '00_openshift-kube-apiserver-operator-ns.yaml',
  'cluster-role-binding-kube-apiserver.yaml',
  'config.apiserver.yaml',
  'configmap-admin-kubeconfig-client-ca.yaml',
  'configmap-csr-controller-ca.yaml',
  'configmap-kubelet-bootstrap-kubeconfig-ca.yaml',
  'configmap-sa-token-signing-certs.yaml',
  'configmap-unsupported-cert-rotation.yaml',
  'secret-aggregator-client-signer.yaml',
  'secret-bound-sa-token-signing-key.yaml',
  'secret-control-plane-client-signer.yaml',
  'secret-kube-apiserver-to-kubelet-signer.yaml',
  'secret-loadbalancer-serving-signer.yaml',
  'secret-localhost-serving-signer.yaml',
  'secret-service-network-serving-signer.yaml',
  // cluster-kube-controller-manager-operator
  '00_openshift-kube-controller-manager-ns.yaml',
  '00_openshift-kube-controller-manager-operator-ns.yaml',
  'secret-csr-signer-signer.yaml',
  'secret-initial-kube-controller-manager-service-account-private-key.yaml',
  // machine-config-operator
  'arbiter.machineconfigpool.yaml',
  'machineconfigcontroller_controllerconfig.yaml',
  'master.machineconfigpool.yaml',
  'worker.machineconfigpool.yaml',
]);
