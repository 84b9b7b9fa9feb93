import { formatAddress, nthHost, parseCidr } from '../formats/cidr.js';
import type { DistinguishedName, ExtendedUsage } from '../formats/keys/x509.js';

/**
 * The installer's certificates. File base names, subjects, usages and lifetimes are a contract with the operators of
 * the payload. Source: openshift/installer pkg/asset/tls (one Go file per entry)
 */

/** `live`: `certificates.validity` of sno-config.yaml; `one-year` and `ten-years`: 365 and 3650 days, or that validity if longer. */
export type Lifetime = 'live' | 'one-year' | 'ten-years';

/** Files of a pair in /opt/openshift/tls. */
export type OnNode = 'key and certificate' | 'certificate' | 'nothing';

/** A CA of the installer. */
export interface SignerEntry {
  readonly subject: DistinguishedName;
  readonly lifetime: Lifetime;
  readonly onNode: OnNode;
  /** Set if it signs a serving certificate of kube-apiserver that clients outside the cluster may see. */
  readonly isOfServers?: true;
}

/** Input of the host names in a certificate. */
export interface NameFacts {
  /** `<cluster>.<base domain>` */
  readonly domain: string;
  /** From the Network manifest, including edits by the user. */
  readonly serviceNetwork: readonly string[];
}

/** A certificate signed by a CA of the installer. */
export interface LeafEntry {
  readonly signer: SignerName;
  readonly subject: DistinguishedName;
  readonly usages: readonly ExtendedUsage[];
  readonly lifetime: Lifetime;
  readonly hostnames?: (facts: NameFacts) => readonly string[];
  /** Set if the `.crt` file also contains the signer's certificate. */
  readonly appendsSigner?: true;
  /** Set if the certificate has no keyUsage extension. */
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

/** CAs by file base name, self-signed; there is no common root. */
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

/** Leaf certificates by file base name. */
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

export type LeafName = keyof typeof leafCatalog;

/** The certificate of the registry of a payload, issued only with one. Source: openshift/installer pkg/asset/tls/iricertkey.go */
export const registryLeaf = {
  signer: 'root-ca',
  subject: { commonName: 'system:internal-release-image' },
  usages: ['serverAuth'],
  lifetime: 'ten-years',
  hostnames: ({ domain }) => ['localhost', `api-int.${domain}`, '127.0.0.1', '::1'],
  onNode: 'nothing',
} as const satisfies LeafEntry;

/** The API's service names, and the first address of each service network. */
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
