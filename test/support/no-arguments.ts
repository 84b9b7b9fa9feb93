/** `extraArguments` of sno-config.yaml where nobody asks for any. */
export const noArguments = {
  etcd: {},
  'kube-apiserver': {},
  'kube-controller-manager': {},
  'kube-scheduler': {},
  'kube-proxy': {},
  kubelet: {},
};
