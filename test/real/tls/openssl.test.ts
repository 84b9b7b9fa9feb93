import { createPublicKey, createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, it } from 'vitest';

import {
  leafCatalog,
  signerCatalog,
  type LeafName,
  type SignerName,
} from '../../../src/assets/tls/catalog.js';
import { openssl, summaryOf, verifies } from '../../support/openssl.js';
import { makePki, type Pki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const signerNames = Object.keys(signerCatalog) as SignerName[];
const leafNames = Object.keys(leafCatalog) as LeafName[];

const signing = 'Digital Signature, Key Encipherment, Certificate Sign';
const keyUse = 'Digital Signature, Key Encipherment';
const server = 'TLS Web Server Authentication';
const client = 'TLS Web Client Authentication';

describeWith(['openssl'], 'openssl', () => {
  let pki: Pki;
  beforeAll(async () => {
    pki = await makePki();
  });

  it.each(signerNames)('reads the authority %s as one, self-signed', (base) => {
    const unit = base === 'aggregator-ca' ? 'bootkube' : 'openshift';
    const name = `CN=${base === 'aggregator-ca' ? 'aggregator' : base}, OU=${unit}`;
    const { certPem } = pki.signers[base];

    expect(summary(certPem)).toEqual({
      subject: name,
      issuer: name,
      usage: signing,
      extended: '',
      constraints: 'CA:TRUE',
      names: '',
    });
    expect(verifies(certPem, certPem, 'any')).toBe(true);
  });

  const proxy = 'CN=system:kube-apiserver-proxy, O=kube-master';
  const apiserver = 'CN=system:kube-apiserver, O=kube-master';
  const admin = 'CN=system:admin, O=system:masters';
  const machineConfigOperator = 'system:serviceaccounts:openshift-machine-config-operator';
  const leafCases: readonly (readonly [LeafName, SignerName, string, string, string])[] = [
    ['admin-kubeconfig-client', 'admin-kubeconfig-signer', admin, `${server}, ${client}`, ''],
    ['apiserver-proxy', 'aggregator-ca', proxy, client, ''],
    ['aggregator-client', 'aggregator-signer', proxy, client, ''],
    ['kube-apiserver-to-kubelet-client', 'kube-apiserver-to-kubelet-signer', apiserver, client, ''],
    [
      'kube-apiserver-localhost-server',
      'kube-apiserver-localhost-signer',
      apiserver,
      server,
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    ],
    [
      'kube-apiserver-service-network-server',
      'kube-apiserver-service-network-signer',
      apiserver,
      server,
      'DNS:kubernetes, DNS:kubernetes.default, DNS:kubernetes.default.svc, DNS:kubernetes.default.svc.cluster.local, ' +
        'DNS:openshift, DNS:openshift.default, DNS:openshift.default.svc, DNS:openshift.default.svc.cluster.local, ' +
        'IP Address:172.30.0.1',
    ],
    ['kube-apiserver-lb-server', 'kube-apiserver-lb-signer', apiserver, server, 'DNS:api.DOMAIN'],
    [
      'kube-apiserver-internal-lb-server',
      'kube-apiserver-lb-signer',
      apiserver,
      server,
      'DNS:api-int.DOMAIN',
    ],
    ['kube-control-plane-kube-controller-manager-client', 'kube-control-plane-signer', admin, client, ''],
    ['kube-control-plane-kube-scheduler-client', 'kube-control-plane-signer', admin, client, ''],
    [
      'kubelet-client',
      'kubelet-bootstrap-kubeconfig-signer',
      `CN=system:serviceaccount:openshift-machine-config-operator:node-bootstrapper, O=system:serviceaccounts, O=${machineConfigOperator}`,
      client,
      '',
    ],
    ['machine-config-server', 'root-ca', 'CN=system:machine-config-server', server, 'DNS:api-int.DOMAIN'],
    ['journal-gatewayd', 'root-ca', 'CN=journal-gatewayd, O=OpenShift Bootstrap', `${server}, ${client}`, ''],
  ];
  it.each(leafCases)('reads %s as signed by %s', (base, signer, subject, extended, names) => {
    const domain = pki.leaves['kube-apiserver-lb-server'].hostnames[0]?.replace(/^api\./, '') ?? '';
    const { certPem } = pki.leaves[base];

    expect(summary(certPem)).toEqual({
      subject,
      issuer: `CN=${pki.signers[signer].commonName}, OU=${signer === 'aggregator-ca' ? 'bootkube' : 'openshift'}`,
      usage: base === 'machine-config-server' ? '' : keyUse,
      extended,
      constraints: 'CA:FALSE',
      names: names.replace('DOMAIN', domain),
    });
    const purposes = extended.split(', ').map((use) => (use === server ? 'sslserver' : 'sslclient'));
    for (const purpose of purposes)
      expect(verifies(certPem, pki.signers[signer].certPem, purpose)).toBe(true);
    const stranger = signer === 'root-ca' ? 'kube-apiserver-lb-signer' : 'root-ca';
    expect(verifies(certPem, pki.signers[stranger].certPem, 'any')).toBe(false);
  });

  it('covers every certificate of the catalog', () => {
    expect(leafCases.map(([base]) => base).toSorted()).toEqual(leafNames.toSorted());
  });

  it('finds key identifiers that link each leaf to its signer, and serial numbers that differ', () => {
    const field = (certPem: string, extension: string): string =>
      openssl(['x509', '-noout', '-ext', extension], certPem)
        .stdout.split('\n')[1]
        ?.replace('keyid:', '')
        .trim() ?? '';
    for (const base of leafNames) {
      const signer = pki.signers[leafCatalog[base].signer];
      expect(field(pki.leaves[base].certPem, 'authorityKeyIdentifier')).toBe(
        field(signer.certPem, 'subjectKeyIdentifier'),
      );
    }
    const all = [...Object.values(pki.signers), ...Object.values(pki.leaves)];
    const serials = all.map(({ certPem }) => openssl(['x509', '-noout', '-serial'], certPem).stdout);
    expect(new Set(serials).size).toBe(24);
    for (const serial of serials) expect(serial).toMatch(/^serial=[4-7][0-9A-F]{31}\n$/);
  });

  it('reads every bundle, with its members in order', () => {
    const members = (bundle: string): readonly string[] => {
      const path = join(scratchFolder(), 'bundle.crt');
      writeFileSync(path, bundle);
      const text = openssl(['storeutl', '-certs', '-noout', '-text', path]).stdout;
      return [...text.matchAll(/Subject: (.*)/g)].map(([, subject]) => subject ?? '');
    };
    const names = (...bases: readonly SignerName[]): readonly string[] =>
      bases.map((base) => `OU=openshift, CN=${base}`);

    expect(members(pki.bundles['kube-apiserver-complete-client-ca-bundle'])).toEqual(
      names(
        'admin-kubeconfig-signer',
        'kubelet-signer',
        'kube-control-plane-signer',
        'kube-apiserver-to-kubelet-signer',
        'kubelet-bootstrap-kubeconfig-signer',
      ),
    );
    expect(members(pki.bundles['kube-control-plane-ca-bundle'])).toEqual(
      names(
        'kube-control-plane-signer',
        'kube-apiserver-lb-signer',
        'kube-apiserver-localhost-signer',
        'kube-apiserver-service-network-signer',
      ),
    );
    expect(members(pki.bundles['kubelet-serving-ca-bundle'])).toEqual(names('kubelet-signer'));
  });

  it('finds the public key of service accounts to be that of the private one', () => {
    const derived = openssl(['rsa', '-pubout'], pki.serviceAccount.keyPem).stdout;

    expect(pki.serviceAccount.publicKeyPem).toBe(derived);
    expect(openssl(['rsa', '-pubin', '-noout'], pki.serviceAccount.publicKeyPem).code).toBe(0);
  });
});
