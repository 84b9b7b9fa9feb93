import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it } from 'vitest';

import type { SignerName } from '../../../src/pki/installers-catalog.js';
import { openssl, textsOf } from '../../support/openssl.js';
import { makePki } from '../../support/pki.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

describeWith(['openssl'], 'how certificates are encoded, as openssl takes them apart', () => {
  it('names are printable strings in the order O, OU, CN, and two organizations are two', async () => {
    const { leaves } = await makePki();

    expect(textsOf(leaves['kubelet-client'].certPem)).toEqual([
      'PRINTABLESTRING openshift',
      'PRINTABLESTRING kubelet-bootstrap-kubeconfig-signer',
      'UTCTIME 260102020405Z',
      'UTCTIME 351231030405Z',
      'PRINTABLESTRING system:serviceaccounts:openshift-machine-config-operator',
      'PRINTABLESTRING system:serviceaccounts',
      'PRINTABLESTRING system:serviceaccount:openshift-machine-config-operator:node-bootstrapper',
    ]);
  });

  it('years from 2050 on have four digits', async () => {
    const { signers } = await makePki({ now: new Date('2045-01-01T00:30:00Z') });

    expect(textsOf(signers['root-ca'].certPem).filter((text) => text.includes('TIME'))).toEqual([
      'UTCTIME 441231233000Z',
      'GENERALIZEDTIME 20541230003000Z',
    ]);
  });

  it('serial numbers are positive, of 128 bits, and differ', async () => {
    const { signers, leaves } = await makePki();
    const all = [...Object.values(signers), ...Object.values(leaves)];

    const serials = all.map(({ certPem }) => openssl(['x509', '-noout', '-serial'], certPem).stdout.trim());

    expect(serials.filter((serial) => !/^serial=[4-7][0-9A-F]{31}$/.test(serial))).toEqual([]);
    expect(new Set(serials).size).toBe(24);
  });

  it('files with the signer after the leaf hold the two in that order', async () => {
    const { leaves } = await makePki();
    const subjects = Object.entries(leaves).map(
      ([base, { chainPem }]) => [base, subjectsOf(chainPem)] as const,
    );

    const longer = subjects.filter(([, found]) => found.length > 1);
    const apiserver = 'O=kube-master, CN=system:kube-apiserver';
    expect(longer).toEqual([
      ['kube-apiserver-localhost-server', [apiserver, 'OU=openshift, CN=kube-apiserver-localhost-signer']],
      [
        'kube-apiserver-service-network-server',
        [apiserver, 'OU=openshift, CN=kube-apiserver-service-network-signer'],
      ],
      ['kube-apiserver-lb-server', [apiserver, 'OU=openshift, CN=kube-apiserver-lb-signer']],
      ['kube-apiserver-internal-lb-server', [apiserver, 'OU=openshift, CN=kube-apiserver-lb-signer']],
    ]);
  });

  it('bundles hold their members in order', async () => {
    const { bundles } = await makePki();
    const localhost = 'kube-apiserver-localhost-signer';
    const service = 'kube-apiserver-service-network-signer';
    const balancer = 'kube-apiserver-lb-signer';
    const want: Readonly<Record<keyof typeof bundles, readonly SignerName[]>> = {
      'admin-kubeconfig-ca-bundle': ['admin-kubeconfig-signer'],
      'aggregator-ca-bundle': ['aggregator-signer'],
      'kube-apiserver-to-kubelet-ca-bundle': ['kube-apiserver-to-kubelet-signer'],
      'kube-apiserver-localhost-ca-bundle': [localhost],
      'kube-apiserver-service-network-ca-bundle': [service],
      'kube-apiserver-lb-ca-bundle': [balancer],
      'kube-apiserver-complete-server-ca-bundle': [localhost, service, balancer],
      'kube-apiserver-complete-client-ca-bundle': [
        'admin-kubeconfig-signer',
        'kubelet-signer',
        'kube-control-plane-signer',
        'kube-apiserver-to-kubelet-signer',
        'kubelet-bootstrap-kubeconfig-signer',
      ],
      'kube-control-plane-ca-bundle': ['kube-control-plane-signer', balancer, localhost, service],
      'kubelet-client-ca-bundle': ['kubelet-signer'],
      'kubelet-serving-ca-bundle': ['kubelet-signer'],
      'kubelet-bootstrap-kubeconfig-ca-bundle': ['kubelet-bootstrap-kubeconfig-signer'],
    };

    const found = Object.entries(bundles).map(([base, text]) => [base, subjectsOf(text)]);

    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(
        Object.entries(want).map(([base, members]) => [
          base,
          members.map((member) => `OU=openshift, CN=${member}`),
        ]),
      ),
    );
  });
});

/** Subjects of the certificates of a PEM text, in order. */
function subjectsOf(text: string): readonly string[] {
  const path = join(scratchFolder(), 'text.crt');
  writeFileSync(path, text);
  const { stdout } = openssl(['storeutl', '-certs', '-noout', '-text', path]);
  return [...stdout.matchAll(/Subject: (.*)/g)].map(([, subject = '']) => subject.replaceAll(' = ', '='));
}
