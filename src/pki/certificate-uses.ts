import type { ClientName } from './aio-clients.js';
import type { LeafName, SignerName } from './installer-catalog.js';
import type { RotatorName } from './rotators.js';

/** Purpose of the installer's certificates, by file base name: the certificates they sign, or the holder of the key, and who trusts them. */
export const installerUses: Readonly<Record<SignerName | LeafName, string>> = {
  'root-ca': 'signs machine-config-server and journal-gatewayd; trusted by joining machines',
  'admin-kubeconfig-signer': "signs the administrator's client certificate; trusted by kube-apiserver",
  'aggregator-ca': 'signs apiserver-proxy of the bootstrap',
  'aggregator-signer': 'signs aggregator-client; trusted by aggregated API servers',
  'kube-apiserver-to-kubelet-signer': 'signs kube-apiserver-to-kubelet-client; trusted by kubelets',
  'kube-apiserver-localhost-signer':
    'signs the localhost server certificate; trusted by components on the node',
  'kube-apiserver-service-network-signer':
    'signs the server certificate for the service network; trusted by pods',
  'kube-apiserver-lb-signer': 'signs the api and api-int server certificates; trusted by kubeconfigs',
  'kube-control-plane-signer':
    'signs the client certificates of kube-controller-manager and kube-scheduler; trusted by kube-apiserver',
  'kubelet-signer': 'signs kubelet certificate requests during the bootstrap; trusted by kube-apiserver',
  'kubelet-bootstrap-kubeconfig-signer':
    'signs the first client certificate of kubelets; trusted by kube-apiserver',
  'admin-kubeconfig-client': 'client certificate of the administrator in auth/kubeconfig',
  'apiserver-proxy': 'client certificate of the bootstrap kube-apiserver for aggregated API servers',
  'aggregator-client': 'client certificate of kube-apiserver for aggregated API servers',
  'kube-apiserver-to-kubelet-client': 'client certificate of kube-apiserver for kubelets',
  'kube-apiserver-localhost-server': 'server certificate of kube-apiserver for clients on the node',
  'kube-apiserver-service-network-server': 'server certificate of kube-apiserver for pods',
  'kube-apiserver-lb-server': 'server certificate of kube-apiserver for external clients (api)',
  'kube-apiserver-internal-lb-server': 'server certificate of kube-apiserver for nodes (api-int)',
  'kube-control-plane-kube-controller-manager-client': 'client certificate of kube-controller-manager',
  'kube-control-plane-kube-scheduler-client': 'client certificate of kube-scheduler',
  'kubelet-client': 'client certificate of kubelets until their own is issued',
  'machine-config-server': 'server certificate of machine-config-server',
  'journal-gatewayd': 'server certificate of the bootstrap journal gateway, used to gather logs',
};

/** Purpose of the control plane's certificates, by the name of their Secret. */
export const rotatorUses: Readonly<Record<RotatorName, string>> = {
  'etcd-signer': 'signs etcd member and client certificates; trusted by etcd and its clients',
  'etcd-metric-signer': 'signs the server and client certificates for etcd metrics',
  'aggregator-client-signer': 'signs aggregator-client; trusted by aggregated API servers',
  'kube-apiserver-to-kubelet-signer': 'signs kubelet-client; trusted by kubelets',
  'localhost-serving-signer': 'signs the localhost server certificate; trusted by components on the node',
  'service-network-serving-signer': 'signs the server certificate for the service network; trusted by pods',
  'loadbalancer-serving-signer': 'signs the api and api-int server certificates; trusted by kubeconfigs',
  'localhost-recovery-serving-signer': 'signs the server certificate for recovery',
  'kube-control-plane-signer': 'signs control plane client certificates; trusted by kube-apiserver',
  'node-system-admin-signer': "signs the node administrator's client certificate; trusted by kube-apiserver",
  'csr-signer-signer': 'signs csr-signer; trusted by kube-apiserver',
  'csr-signer': 'signs approved certificate requests of kubelets and others; trusted by kube-apiserver',
  'etcd-peer': 'peer certificate of etcd',
  'etcd-serving': 'server certificate of etcd',
  'etcd-serving-metrics': 'server certificate of the etcd metrics endpoint',
  'etcd-client': 'client certificate of kube-apiserver for etcd',
  'etcd-metric-client': 'client certificate for reading etcd metrics',
  'aggregator-client': 'client certificate of kube-apiserver for aggregated API servers',
  'kubelet-client': 'client certificate of kube-apiserver for kubelets',
  'localhost-serving-cert-certkey': 'server certificate of kube-apiserver for clients on the node',
  'service-network-serving-certkey': 'server certificate of kube-apiserver for pods',
  'external-loadbalancer-serving-certkey': 'server certificate of kube-apiserver for external clients (api)',
  'internal-loadbalancer-serving-certkey': 'server certificate of kube-apiserver for nodes (api-int)',
  'localhost-recovery-serving-certkey': 'server certificate of kube-apiserver for recovery on the node',
  'kube-controller-manager-client-cert-key': 'client certificate of kube-controller-manager',
  'kube-scheduler-client-cert-key': 'client certificate of kube-scheduler',
  'control-plane-node-admin-client-cert-key': 'client certificate of an administrator on the node',
  'check-endpoints-client-cert-key': 'client certificate of the endpoint check',
  'node-system-admin-client': 'client certificate of an administrator on the node',
};

/** Purpose of the other certificates of an all-in-one node. */
export const aioUses: Readonly<Record<ClientName | 'admin-signer' | 'boot-signer', string>> = {
  'admin-signer': "signs the administrator's client certificate; trusted by kube-apiserver",
  'boot-signer': 'signs the client certificates for the first boot; trusted by kube-apiserver',
  'admin-client': 'client certificate of the administrator in auth/kubeconfig',
  'kubelet-bootstrap-client': 'client certificate of the kubelet until its own is issued',
  'aiokube-client': 'client certificate of the first-boot script',
  'kube-proxy-client': 'client certificate of kube-proxy',
  'csr-approver-client': "client certificate for approving the node's certificate requests",
};
