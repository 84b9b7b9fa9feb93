import { createHash, createPublicKey } from 'node:crypto';

import { beforeAll, expect, it } from 'vitest';

import {
  leafCatalog,
  signerCatalog,
  type LeafName,
  type SignerName,
} from '../../../src/pki/installer-catalog.js';
import { openssl, summaryOf, verifies } from '../../support/openssl.js';
import { makePki, type Pki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';

const signerNames = Object.keys(signerCatalog) as SignerName[];
const leafNames = Object.keys(leafCatalog) as LeafName[];

const server = 'TLS Web Server Authentication';
const client = 'TLS Web Client Authentication';
const both = `${server}, ${client}`;

const notBefore = 'Jan  2 02:04:05 2026 GMT';
/** Expiry by lifetime: 30 days, 365 days and 3650 days after the clock of the tests. */
const live = 'Feb  1 03:04:05 2026 GMT';
const oneYear = 'Jan  2 03:04:05 2027 GMT';
const tenYears = 'Dec 31 03:04:05 2035 GMT';

/** SHA-1 of the RSAPublicKey (RFC 5280 §4.2.1.2, method 1), computed differently from the program. */
function keyIdentifier(keyPem: string): string {
  const der = createPublicKey(keyPem).export({ type: 'pkcs1', format: 'der' });
  const hex = createHash('sha1').update(der).digest('hex').toUpperCase();
  return hex.match(/../g)?.join(':') ?? '';
}

/** validity.test.ts compares lifetimes with those of upstream. */
const ends = { live, 'one-year': oneYear, 'ten-years': tenYears } as const;

function nameOfSigner(base: SignerName): string {
  const { commonName, organizationalUnit = '' } = signerCatalog[base].subject;
  return `CN=${commonName}, OU=${organizationalUnit}`;
}

const proxy = 'CN=system:kube-apiserver-proxy, O=kube-master';
const apiserver = 'CN=system:kube-apiserver, O=kube-master';
const admin = 'CN=system:admin, O=system:masters';
const bootstrapper =
  'CN=system:serviceaccount:openshift-machine-config-operator:node-bootstrapper, O=system:serviceaccounts, ' +
  'O=system:serviceaccounts:openshift-machine-config-operator';

const localhostNames = 'DNS:localhost, IP Address:127.0.0.1';
const serviceNames =
  'DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, ' +
  'DNS:openshift, DNS:openshift.default, DNS:openshift.default.svc, DNS:openshift.default.svc.cluster.local, ' +
  'IP Address:172.30.0.1';
const apiName = 'DNS:api.site1.example.com';
const internalName = 'DNS:api-int.site1.example.com';

/** Base, signer, subject, extended usage, names, end. Source: openshift/installer pkg/asset/tls, one Go file per certificate */
type LeafRow = readonly [LeafName, SignerName, string, string, string, string];

const leafRows: readonly LeafRow[] = [
  ['admin-kubeconfig-client', 'admin-kubeconfig-signer', admin, both, '', tenYears],
  ['apiserver-proxy', 'aggregator-ca', proxy, client, '', live],
  ['aggregator-client', 'aggregator-signer', proxy, client, '', live],
  ['kube-apiserver-to-kubelet-client', 'kube-apiserver-to-kubelet-signer', apiserver, client, '', oneYear],
  [
    'kube-apiserver-localhost-server',
    'kube-apiserver-localhost-signer',
    apiserver,
    server,
    localhostNames,
    live,
  ],
  [
    'kube-apiserver-service-network-server',
    'kube-apiserver-service-network-signer',
    apiserver,
    server,
    serviceNames,
    live,
  ],
  ['kube-apiserver-lb-server', 'kube-apiserver-lb-signer', apiserver, server, apiName, live],
  ['kube-apiserver-internal-lb-server', 'kube-apiserver-lb-signer', apiserver, server, internalName, live],
  [
    'kube-control-plane-kube-controller-manager-client',
    'kube-control-plane-signer',
    admin,
    client,
    '',
    oneYear,
  ],
  ['kube-control-plane-kube-scheduler-client', 'kube-control-plane-signer', admin, client, '', oneYear],
  ['kubelet-client', 'kubelet-bootstrap-kubeconfig-signer', bootstrapper, client, '', tenYears],
  ['machine-config-server', 'root-ca', 'CN=system:machine-config-server', server, internalName, tenYears],
  ['journal-gatewayd', 'root-ca', 'CN=journal-gatewayd, O=OpenShift Bootstrap', both, '', tenYears],
];

describeWith(['openssl'], 'openssl', () => {
  let pki: Pki;
  beforeAll(async () => {
    pki = await makePki();
  });

  it.each(signerNames)('reads the authority %s as one, self-signed', (base) => {
    const { certPem, keyPem } = pki.signers[base];

    expect(summaryOf(certPem)).toEqual({
      subject: nameOfSigner(base),
      issuer: nameOfSigner(base),
      notBefore,
      notAfter: ends[signerCatalog[base].lifetime],
      signature: 'sha256WithRSAEncryption',
      extensions: ['Key Usage (critical)', 'Basic Constraints (critical)', 'Subject Key Identifier'],
      usage: 'Digital Signature, Key Encipherment, Certificate Sign',
      extendedUsage: '',
      constraints: 'CA:TRUE',
      names: '',
      subjectKey: keyIdentifier(keyPem.reveal()),
      authorityKey: '',
    });
    expect(verifies(certPem, certPem, 'any')).toBe(true);
  });

  it.each(leafRows)('reads %s as signed by %s', (base, signer, subject, extendedUsage, names, notAfter) => {
    const { certPem, keyPem } = pki.leaves[base];
    const hasUsage = base !== 'machine-config-server';

    expect(summaryOf(certPem)).toEqual({
      subject,
      issuer: nameOfSigner(signer),
      notBefore,
      notAfter,
      signature: 'sha256WithRSAEncryption',
      extensions: [
        ...(hasUsage ? ['Key Usage (critical)'] : []),
        'Extended Key Usage',
        'Basic Constraints (critical)',
        'Subject Key Identifier',
        'Authority Key Identifier',
        ...(names === '' ? [] : ['Subject Alternative Name']),
      ],
      usage: hasUsage ? 'Digital Signature, Key Encipherment' : '',
      extendedUsage,
      constraints: 'CA:FALSE',
      names,
      subjectKey: keyIdentifier(keyPem.reveal()),
      authorityKey: keyIdentifier(pki.signers[signer].keyPem.reveal()),
    });
  });

  it.each(leafRows)('verifies %s under %s and under no other', (base, signer, _subject, extendedUsage) => {
    const { certPem } = pki.leaves[base];
    const purposes = extendedUsage.split(', ').map((use) => (use === server ? 'sslserver' : 'sslclient'));
    const stranger = signer === 'root-ca' ? 'kube-apiserver-lb-signer' : 'root-ca';

    expect(purposes.map((purpose) => verifies(certPem, pki.signers[signer].certPem, purpose))).toEqual(
      purposes.map(() => true),
    );
    expect(verifies(certPem, pki.signers[stranger].certPem, 'any')).toBe(false);
  });

  it.each(leafNames)('verifies %s under the signer of the catalog, for its usages', (base) => {
    const { signer, usages } = leafCatalog[base];
    const purposes = usages.map((usage) => (usage === 'serverAuth' ? 'sslserver' : 'sslclient'));
    for (const purpose of purposes)
      expect(verifies(pki.leaves[base].certPem, pki.signers[signer].certPem, purpose), purpose).toBe(true);
  });

  it('finds the public key of service accounts to be that of the private one', () => {
    const derived = openssl(['rsa', '-pubout'], pki.serviceAccount.keyPem.reveal()).stdout;

    expect(pki.serviceAccount.publicKeyPem).toBe(derived);
    expect(openssl(['rsa', '-pubin', '-noout'], pki.serviceAccount.publicKeyPem).code).toBe(0);
  });
});
