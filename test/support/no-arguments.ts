/** `extraArguments` of sno-config.yaml without any entries. */
export const noArguments = {
  etcd: {},
  'kube-apiserver': {},
  'kube-controller-manager': {},
  'kube-scheduler': {},
  'kube-proxy': {},
  kubelet: {},
};
