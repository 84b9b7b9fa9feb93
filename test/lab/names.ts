/** Stages that leave a marker, in the order of the live system: bootkube.service. */
export const bootkubeStages = [
  'openshift-manifests',
  'api-bootstrap',
  'auth-api-bootstrap',
  'config-bootstrap',
  'cvo-bootstrap',
  'etcd-bootstrap',
  'kube-apiserver-bootstrap',
  'kube-controller-manager-bootstrap',
  'kube-scheduler-bootstrap',
  'ingress-operator-bootstrap',
  'node-tuning-bootstrap',
  'cmdbootline-nto-bootstrap',
  'mco-bootstrap',
  'cco-bootstrap',
  'resolve-api-url',
  'resolve-api-int-url',
  'cb-bootstrap',
  'etcd-snapshot',
  'stop-etcd',
  'fetch-master-ignition',
  'gather-bootstrap-logs',
  'master-ignition',
] as const;

/** Of install-to-disk.service. */
export const diskStages = ['coreos-installer', 'mark-disk'] as const;

/** Of the installed node: sno-etcd-restore.service, then bootkube.service. */
export const nodeStages = [
  'etcd-restore',
  'bootstrap-complete',
  'release-cvo-lease',
  'release-cpc-lease',
  'restore-cvo-overrides',
  'node-ready',
  'restart-kubelet-for-network',
  'restart-kubelet-for-api',
  'cluster-available',
  'serving-certificate',
  'operators-own-control-plane',
  'cluster-complete',
] as const;
