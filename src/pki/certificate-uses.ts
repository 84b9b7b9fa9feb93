import type { ClientName } from './aio-clients.js';
import type { LeafName, SignerName } from './installer-catalog.js';
import type { RotatorName } from './rotators.js';

/** Purpose of the installer's certificates, by file base name: the certificates they sign, or the holder of the key, and who trusts them. */
export const installerUses: Readonly<Record<SignerName | LeafName, string>> = {
  'root-ca': 'signs the machine-config server and the journal gateway; machines that join believe it',
  'admin-kubeconfig-signer': "signs the administrator's client; kube-apiserver believes it",
  'aggregator-ca': 'signs apiserver-proxy of the bootstrap',
  'aggregator-signer': 'signs aggregator-client; aggregated API servers believe it',
  'kube-apiserver-to-kubelet-signer': 'signs the client of kube-apiserver at kubelets; kubelets believe it',
  'kube-apiserver-localhost-signer': 'signs the server of localhost; components of the node believe it',
  'kube-apiserver-service-network-signer': 'signs the server inside the cluster; pods believe it',
  'kube-apiserver-lb-signer': 'signs the servers of api and api-int; kubeconfigs believe it',
  'kube-control-plane-signer':
    'signs the clients of controller manager and scheduler; kube-apiserver believes it',
  'kubelet-signer': 'signs what kubelets ask for during the bootstrap; kube-apiserver believes it',
  'kubelet-bootstrap-kubeconfig-signer': 'signs the first client of kubelets; kube-apiserver believes it',
  'admin-kubeconfig-client': 'the administrator of auth/kubeconfig, at kube-apiserver',
  'apiserver-proxy': 'kube-apiserver of the bootstrap, at aggregated API servers',
  'aggregator-client': 'kube-apiserver, at aggregated API servers',
  'kube-apiserver-to-kubelet-client': 'kube-apiserver, at kubelets',
  'kube-apiserver-localhost-server': 'kube-apiserver, for clients on the node',
  'kube-apiserver-service-network-server': 'kube-apiserver, for clients inside the cluster',
  'kube-apiserver-lb-server': 'kube-apiserver, for clients from outside, as api',
  'kube-apiserver-internal-lb-server': 'kube-apiserver, for nodes, as api-int',
  'kube-control-plane-kube-controller-manager-client': 'kube-controller-manager, at kube-apiserver',
  'kube-control-plane-kube-scheduler-client': 'kube-scheduler, at kube-apiserver',
  'kubelet-client': 'kubelets until they have a certificate of their own, at kube-apiserver',
  'machine-config-server': 'the machine-config server, for machines that join',
  'journal-gatewayd': 'the journal gateway of the bootstrap, for who gathers logs',
};

/** Purpose of the control plane's certificates, by the name of their Secret. */
export const rotatorUses: Readonly<Record<RotatorName, string>> = {
  'etcd-signer': 'signs members and clients of etcd; they believe it of each other',
  'etcd-metric-signer': 'signs who serves and reads the metrics of etcd',
  'aggregator-client-signer': 'signs aggregator-client; aggregated API servers believe it',
  'kube-apiserver-to-kubelet-signer': 'signs the client of kube-apiserver at kubelets; kubelets believe it',
  'localhost-serving-signer': 'signs the server of localhost; components of the node believe it',
  'service-network-serving-signer': 'signs the server inside the cluster; pods believe it',
  'loadbalancer-serving-signer': 'signs the servers of api and api-int; kubeconfigs believe it',
  'localhost-recovery-serving-signer': 'signs the server of a recovery',
  'kube-control-plane-signer': 'signs clients of the control plane; kube-apiserver believes it',
  'node-system-admin-signer': "signs the node's administrator; kube-apiserver believes it",
  'csr-signer-signer': 'signs csr-signer; kube-apiserver believes it',
  'csr-signer': 'signs what kubelets and others ask for; kube-apiserver believes it',
  'etcd-peer': 'etcd, at other members',
  'etcd-serving': 'etcd, for its clients',
  'etcd-serving-metrics': 'the metrics of etcd, for who reads them',
  'etcd-client': 'kube-apiserver, at etcd',
  'etcd-metric-client': 'who reads the metrics of etcd',
  'aggregator-client': 'kube-apiserver, at aggregated API servers',
  'kubelet-client': 'kube-apiserver, at kubelets',
  'localhost-serving-cert-certkey': 'kube-apiserver, for clients on the node',
  'service-network-serving-certkey': 'kube-apiserver, for clients inside the cluster',
  'external-loadbalancer-serving-certkey': 'kube-apiserver, for clients from outside, as api',
  'internal-loadbalancer-serving-certkey': 'kube-apiserver, for nodes, as api-int',
  'localhost-recovery-serving-certkey': 'kube-apiserver, for a recovery on the node',
  'kube-controller-manager-client-cert-key': 'kube-controller-manager, at kube-apiserver',
  'kube-scheduler-client-cert-key': 'kube-scheduler, at kube-apiserver',
  'control-plane-node-admin-client-cert-key': 'an administrator on the node, at kube-apiserver',
  'check-endpoints-client-cert-key': 'the check of endpoints, at kube-apiserver',
  'node-system-admin-client': 'an administrator on the node, at kube-apiserver',
};

/** Purpose of the other certificates of an all-in-one node. */
export const aioUses: Readonly<Record<ClientName | 'admin-signer' | 'boot-signer', string>> = {
  'admin-signer': "signs the administrator's client; kube-apiserver believes it",
  'boot-signer': 'signs who is needed at the first boot; kube-apiserver believes it',
  'admin-client': 'the administrator of auth/kubeconfig, at kube-apiserver',
  'kubelet-bootstrap-client': 'the kubelet until it has a certificate of its own, at kube-apiserver',
  'aiokube-client': 'the script of the first boot, at kube-apiserver',
  'kube-proxy-client': 'kube-proxy, at kube-apiserver',
  'csr-approver-client': "who approves the node's requests, at kube-apiserver",
};
