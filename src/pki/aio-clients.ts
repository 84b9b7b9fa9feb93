import type { DistinguishedName, ExtendedUsage } from '../formats/keys/x509.js';
import type { RotatorName } from './rotators.js';

/**
 * The pairs of the control plane that this node uses: those that only operators read, and their administrators, are
 * not issued at all.
 */
export const issuedRotators = [
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

/** `boot`: as long as the config may be booted (`certificates.validity`); the others as `controlPlane.certificates` says. */
export type Lifetime = 'boot' | 'leaf' | 'signer';

interface ClientEntry {
  readonly signer: 'admin-signer' | 'boot-signer' | 'kube-control-plane-signer';
  readonly subject: DistinguishedName;
  readonly usages: readonly ExtendedUsage[];
  readonly lifetime: Lifetime;
}

/** Who the kubelet is until it has a certificate of its own: it may ask for one, and nothing else. */
export const nodeBootstrapper = {
  user: 'sno-install:node-bootstrapper',
  group: 'system:bootstrappers:sno-install',
};

/** Who approves this node's certificate requests. */
export const csrApprover = 'sno-install:csr-approver';

/** Clients beyond those of the control plane itself. */
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
  // The name that the API server's own ClusterRoleBinding system:node-proxier knows.
  'kube-proxy-client': client('kube-control-plane-signer', { commonName: 'system:kube-proxy' }, 'leaf'),
  'csr-approver-client': client('kube-control-plane-signer', { commonName: csrApprover }, 'leaf'),
} as const satisfies Readonly<Record<string, ClientEntry>>;

/** A client of an all-in-one node, by the name it has in the catalog. */
export type ClientName = keyof typeof clientCatalog;

function client(signer: ClientEntry['signer'], subject: DistinguishedName, lifetime: Lifetime): ClientEntry {
  return { signer, subject, usages: ['clientAuth'], lifetime };
}
