import { formatAddress, nthHost, parseCidr } from '../formats/cidr.js';
import type { DistinguishedName, ExtendedUsage } from '../formats/keys/x509.js';

/**
 * The whole inventory of certificates. File bases, subjects, usages and lifetimes are a contract with the operators of
 * the payload. Source: openshift/installer pkg/asset/tls (one Go file an entry)
 */

/** `live`: as long as sno-config.yaml says; `one-year` at least a year; `ten-years` 3650 days. */
export type Lifetime = 'live' | 'one-year' | 'ten-years';

/** What of a pair goes to /opt/openshift/tls. */
export type OnNode = 'key and certificate' | 'certificate' | 'nothing';

/** An authority of the installer. */
export interface SignerEntry {
  readonly subject: DistinguishedName;
  readonly lifetime: Lifetime;
  readonly onNode: OnNode;
  /** Whether it signs kube-apiserver as a server, which people outside of the cluster may come to. */
  readonly isOfServers?: true;
}

/** What the names of certificates are made from. */
export interface NameFacts {
  /** `<cluster>.<base domain>` */
  readonly domain: string;
  /** As the Network manifest has it, edited or not. */
  readonly serviceNetwork: readonly string[];
}

/** A certificate that an authority of the installer signs. */
export interface LeafEntry {
  readonly signer: SignerName;
  readonly subject: DistinguishedName;
  readonly usages: readonly ExtendedUsage[];
  readonly lifetime: Lifetime;
  readonly hostnames?: (facts: NameFacts) => readonly string[];
  /** Whether the `.crt` holds the signer's certificate after its own. */
  readonly appendsSigner?: true;
  /** Whether the certificate carries no keyUsage extension. */
  readonly omitsKeyUsage?: true;
  readonly onNode: OnNode;
}

function openshiftSigner(
  commonName: string,
  lifetime: Lifetime,
  onNode: OnNode = 'key and certificate',
): SignerEntry {
  return { subject: { organizationalUnit: 'openshift', commonName }, lifetime, onNode };
}

/** Self-signed certificate authorities by file base; no root stands above them. */
export const signerCatalog = {
  'root-ca': openshiftSigner('root-ca', 'ten-years', 'certificate'),
  'admin-kubeconfig-signer': openshiftSigner('admin-kubeconfig-signer', 'ten-years', 'nothing'),
  'aggregator-ca': {
    subject: { organizationalUnit: 'bootkube', commonName: 'aggregator' },
    lifetime: 'live',
    onNode: 'key and certificate',
  },
  'aggregator-signer': openshiftSigner('aggregator-signer', 'live'),
  'kube-apiserver-to-kubelet-signer': openshiftSigner('kube-apiserver-to-kubelet-signer', 'one-year'),
  'kube-apiserver-localhost-signer': {
    ...openshiftSigner('kube-apiserver-localhost-signer', 'ten-years'),
    isOfServers: true,
  },
  'kube-apiserver-service-network-signer': {
    ...openshiftSigner('kube-apiserver-service-network-signer', 'ten-years'),
    isOfServers: true,
  },
  'kube-apiserver-lb-signer': {
    ...openshiftSigner('kube-apiserver-lb-signer', 'ten-years'),
    isOfServers: true,
  },
  'kube-control-plane-signer': openshiftSigner('kube-control-plane-signer', 'one-year'),
  'kubelet-signer': openshiftSigner('kubelet-signer', 'live'),
  'kubelet-bootstrap-kubeconfig-signer': openshiftSigner(
    'kubelet-bootstrap-kubeconfig-signer',
    'ten-years',
    'nothing',
  ),
} as const satisfies Readonly<Record<string, SignerEntry>>;

/** An authority, by its name in the catalog. */
export type SignerName = keyof typeof signerCatalog;

const administrator: DistinguishedName = { organizations: ['system:masters'], commonName: 'system:admin' };
const apiserver: DistinguishedName = { organizations: ['kube-master'], commonName: 'system:kube-apiserver' };
const aggregatorProxy: DistinguishedName = {
  organizations: ['kube-master'],
  commonName: 'system:kube-apiserver-proxy',
};

function client(signer: SignerName, subject: DistinguishedName, lifetime: Lifetime): LeafEntry {
  return { signer, subject, usages: ['clientAuth'], lifetime, onNode: 'key and certificate' };
}

function apiserverServing(signer: SignerName, hostnames: (facts: NameFacts) => readonly string[]): LeafEntry {
  return {
    signer,
    subject: apiserver,
    usages: ['serverAuth'],
    lifetime: 'live',
    hostnames,
    appendsSigner: true,
    onNode: 'key and certificate',
  };
}

const serviceAccountGroups = [
  'system:serviceaccounts:openshift-machine-config-operator',
  'system:serviceaccounts',
];

/** Leaf certificates by file base, each signed by one of the signers. */
export const leafCatalog = {
  'admin-kubeconfig-client': {
    signer: 'admin-kubeconfig-signer',
    subject: administrator,
    usages: ['serverAuth', 'clientAuth'],
    lifetime: 'ten-years',
    onNode: 'nothing',
  },
  'apiserver-proxy': client('aggregator-ca', aggregatorProxy, 'live'),
  'aggregator-client': client('aggregator-signer', aggregatorProxy, 'live'),
  'kube-apiserver-to-kubelet-client': client('kube-apiserver-to-kubelet-signer', apiserver, 'one-year'),
  'kube-apiserver-localhost-server': apiserverServing('kube-apiserver-localhost-signer', () => [
    'localhost',
    '127.0.0.1',
  ]),
  'kube-apiserver-service-network-server': apiserverServing(
    'kube-apiserver-service-network-signer',
    serviceHostnames,
  ),
  'kube-apiserver-lb-server': apiserverServing('kube-apiserver-lb-signer', ({ domain }) => [`api.${domain}`]),
  'kube-apiserver-internal-lb-server': apiserverServing('kube-apiserver-lb-signer', ({ domain }) => [
    `api-int.${domain}`,
  ]),
  'kube-control-plane-kube-controller-manager-client': client(
    'kube-control-plane-signer',
    administrator,
    'one-year',
  ),
  'kube-control-plane-kube-scheduler-client': client('kube-control-plane-signer', administrator, 'one-year'),
  'kubelet-client': client(
    'kubelet-bootstrap-kubeconfig-signer',
    {
      organizations: serviceAccountGroups,
      commonName: 'system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
    },
    'ten-years',
  ),
  'machine-config-server': {
    signer: 'root-ca',
    subject: { commonName: 'system:machine-config-server' },
    usages: ['serverAuth'],
    lifetime: 'ten-years',
    hostnames: ({ domain }) => [`api-int.${domain}`],
    omitsKeyUsage: true,
    onNode: 'key and certificate',
  },
  'journal-gatewayd': {
    signer: 'root-ca',
    subject: { organizations: ['OpenShift Bootstrap'], commonName: 'journal-gatewayd' },
    usages: ['serverAuth', 'clientAuth'],
    lifetime: 'ten-years',
    onNode: 'key and certificate',
  },
} as const satisfies Readonly<Record<string, LeafEntry>>;

/** A signed certificate, by its name in the catalog. */
export type LeafName = keyof typeof leafCatalog;

/** The names of the API inside the cluster, and the first address of each service network. */
function serviceHostnames({ serviceNetwork }: NameFacts): readonly string[] {
  const suffixes = ['', '.default', '.default.svc', '.default.svc.cluster.local'];
  const names = ['kubernetes', 'openshift'].flatMap((base) => suffixes.map((suffix) => `${base}${suffix}`));
  return [...names, ...serviceNetwork.map((cidr) => firstHost(cidr))];
}

function firstHost(text: string): string {
  const cidr = parseCidr(text);
  const address = cidr && nthHost(cidr, 1);
  if (address === undefined)
    throw new Error(`internal error: ${text} passed the checks and has no first address`);
  return formatAddress(address);
}
