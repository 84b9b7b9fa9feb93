import type { DistinguishedName, ExtendedUsage } from '../formats/keys/x509.js';
import type { RotatorName } from './rotators.js';

/** Control-plane pairs of an all-in-one node. Pairs that only operators use, or administrators of operators, are not issued. */
export const aioRotators = [
  'etcd-signer',
  'aggregator-client-signer',
  'kube-apiserver-to-kubelet-signer',
  'localhost-serving-signer',
  'service-network-serving-signer',
  'loadbalancer-serving-signer',
  'kube-control-plane-signer',
  'csr-signer-signer',
  'csr-signer',
  'etcd-peer',
  'etcd-serving',
  'etcd-client',
  'aggregator-client',
  'kubelet-client',
  'localhost-serving-cert-certkey',
  'service-network-serving-certkey',
  'external-loadbalancer-serving-certkey',
  'internal-loadbalancer-serving-certkey',
  'kube-controller-manager-client-cert-key',
  'kube-scheduler-client-cert-key',
] as const satisfies readonly RotatorName[];

/** `boot`: as long as the config may be booted (`certificates.validity`); `leaf` and `signer`: see `controlPlane.certificates`. */
export type Lifetime = 'boot' | 'leaf' | 'signer';

interface ClientEntry {
  readonly signer: 'admin-signer' | 'boot-signer' | 'kube-control-plane-signer';
  readonly subject: DistinguishedName;
  readonly usages: readonly ExtendedUsage[];
  readonly lifetime: Lifetime;
}

/** The kubelet's identity until it has its own certificate; may only create CSRs. */
export const nodeBootstrapper = {
  user: 'sno-install:node-bootstrapper',
  group: 'system:bootstrappers:sno-install',
};

/** User that approves this node's CSRs. */
export const csrApprover = 'sno-install:csr-approver';

/** Client certificates in addition to those of the control plane. */
export const clientCatalog = {
  'admin-client': client(
    'admin-signer',
    { organizations: ['system:masters'], commonName: 'system:admin' },
    'signer',
  ),
  'kubelet-bootstrap-client': client(
    'boot-signer',
    { organizations: [nodeBootstrapper.group], commonName: nodeBootstrapper.user },
    'boot',
  ),
  'aiokube-client': client(
    'boot-signer',
    { organizations: ['system:masters'], commonName: 'sno-install:aiokube' },
    'boot',
  ),
  // The user in kube-apiserver's default ClusterRoleBinding system:node-proxier.
  'kube-proxy-client': client('kube-control-plane-signer', { commonName: 'system:kube-proxy' }, 'leaf'),
  'csr-approver-client': client('kube-control-plane-signer', { commonName: csrApprover }, 'leaf'),
} as const satisfies Readonly<Record<string, ClientEntry>>;

export type ClientName = keyof typeof clientCatalog;

function client(signer: ClientEntry['signer'], subject: DistinguishedName, lifetime: Lifetime): ClientEntry {
  return { signer, subject, usages: ['clientAuth'], lifetime };
}
