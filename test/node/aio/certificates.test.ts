import { X509Certificate } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';

import {
  aioBootWindow,
  clientPairs,
  ownSigners,
  rotatorPairs,
} from '../../../src/assets/aio/certificates.js';
import { aioIgnition } from '../../../src/assets/aio/ignition.js';
import { testNow } from '../../support/context.js';
import { made, type Made } from './made.js';

const certificatePattern = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const day = 86_400_000;

let node: Made;
beforeAll(async () => {
  node = await made('aio-minimal');
});

/** Every certificate among the files of the node, with its path. */
function laidCertificates(): readonly { readonly path: string; readonly certificate: X509Certificate }[] {
  return Object.entries(node.texts).flatMap(([path, text]) =>
    (text.match(certificatePattern) ?? []).map((pem) => ({ path, certificate: new X509Certificate(pem) })),
  );
}

function daysLeft({ validTo }: X509Certificate): number {
  return (Date.parse(validTo) - testNow.getTime()) / day;
}

describe('the certificates on the node', () => {
  test('are valid for ten years if they sign, for a month if only the first boot needs them, otherwise for one year', () => {
    const lives = laidCertificates().map(({ path, certificate }) => {
      const kind = certificate.ca ? 'authority' : 'leaf';
      const isOfBoot = /boot-signer|node-bootstrapper|aiokube/.test(certificate.subject);
      return { path, is: daysLeft(certificate), want: isOfBoot ? 30 : { authority: 3650, leaf: 365 }[kind] };
    });
    expect(lives.filter(({ is, want }) => is !== want)).toEqual([]);
    expect(lives.length).toBeGreaterThan(40);
  });

  test('are backdated, every one', () => {
    const late = laidCertificates().filter(
      ({ certificate }) => Date.parse(certificate.validFrom) !== testNow.getTime() - 3_600_000,
    );
    expect(late).toEqual([]);
  });

  test('are all renewed, except for authorities and those of the first boot', () => {
    const listed = new Set(
      (node.texts['/etc/sno-install/certificates.tsv'] ?? '')
        .trimEnd()
        .split('\n')
        .flatMap((row) => (row.split('\t')[6] ?? '').split(' ')),
    );
    const leaves = laidCertificates().filter(({ certificate }) => !certificate.ca);
    const ofBoot = ['/etc/kubernetes/pki/kubelet-bootstrap.crt', '/etc/sno-install/aiokube/client.crt'];
    expect(new Set(leaves.map(({ path }) => path))).toEqual(new Set([...listed, ...ofBoot]));
  });

  test('are renewed by authorities with available keys, with a list of the pods to restart', () => {
    const rows = (node.texts['/etc/sno-install/certificates.tsv'] ?? '').trimEnd().split('\n');
    for (const row of rows) {
      const [name = '', signer = '', , , , key = '', files = '', , pods = ''] = row.split('\t');
      const authority = new X509Certificate(node.texts[`/etc/sno-install/pki/${signer}.crt`] ?? '');
      expect(node.texts[`/etc/sno-install/pki/${signer}.key`], name).toContain('PRIVATE KEY');
      expect(node.texts[key], name).toContain('PRIVATE KEY');
      for (const file of files.split(' '))
        expect(new X509Certificate(node.texts[file] ?? '').verify(authority.publicKey), name).toBe(true);
      for (const pod of pods.split(' ').filter((each) => each !== '-'))
        expect(node.texts, name).toHaveProperty([`/etc/kubernetes/manifests/${pod}.yaml`]);
    }
    const pods = rows.map((row) => row.split('\t')[8]);
    expect(new Set(pods)).toEqual(
      new Set([
        '-',
        'etcd-pod',
        'kube-apiserver-pod',
        'kube-controller-manager-pod',
        'kube-proxy-pod',
        'kube-scheduler-pod',
      ]),
    );
  });
});

describe('the keys', () => {
  test('of administrators and of the boot authority are nowhere on the node', () => {
    const { resolved } = node;
    const secret = [
      resolved.valueOf(ownSigners)['admin-signer'],
      resolved.valueOf(ownSigners)['boot-signer'],
      resolved.valueOf(clientPairs)['admin-client'],
    ];
    const all = Object.values(node.texts).join('');
    expect(secret.filter(({ keyPem }) => all.includes(keyPem.reveal()))).toEqual([]);
    expect(all).toContain(resolved.valueOf(rotatorPairs)['etcd-signer']?.keyPem.reveal());
  });

  test('are for root alone, in folders that only root looks into', () => {
    const { storage } = node.config;
    const open = (storage?.files ?? []).filter(
      ({ path, mode }) => (node.texts[path] ?? '').includes('PRIVATE KEY-----\n') && (mode & 0o077) !== 0,
    );
    expect(open).toEqual([]);
    expect(storage?.directories?.map(({ path, mode }) => [path, mode.toString(8)])).toEqual([
      ['/etc/sno-install', '700'],
      ['/etc/sno-install/pki', '700'],
      ['/var/lib/etcd', '700'],
    ]);
  });
});

test('the kubelet joins with an identity that may only request certificates', () => {
  const { subject } = new X509Certificate(node.texts['/etc/kubernetes/pki/kubelet-bootstrap.crt'] ?? '');
  expect(subject).toBe('O=system:bootstrappers:sno-install\nCN=sno-install:node-bootstrapper');
  const administrators = laidCertificates().filter(({ certificate }) =>
    certificate.subject.includes('system:masters'),
  );
  // The client certificate of aiokube, which aiokube deletes itself.
  expect(administrators.map(({ path }) => path)).toEqual(['/etc/sno-install/aiokube/client.crt']);
});

test('the config can be booted as long as the first-boot identities are valid', async () => {
  const longer = await made('aio-minimal', {
    'sno-config.yaml': `${node.texts['sno-config.yaml'] ?? ''}apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\naio: { operatingSystem: RHCOS }\ncertificates: { validity: 90d }\n`,
  });
  const until = ({ resolved }: Made): string => resolved.valueOf(aioBootWindow).bootableUntil.toISOString();
  expect([until(node), until(longer)]).toEqual(['2026-02-01T03:04:05.000Z', '2026-04-02T03:04:05.000Z']);
});

test('a second run generates the same bytes', async () => {
  const again = await made('aio-minimal');
  expect(again.resolved.valueOf(aioIgnition).text).toBe(node.resolved.valueOf(aioIgnition).text);
});

test('a kubeconfig that is made again later still fits the node', async () => {
  const later = await made('aio-minimal', {}, new Date(testNow.getTime() + 100 * day));
  const path =
    '/etc/kubernetes/static-pod-resources/kube-apiserver-certs/secrets/external-loadbalancer-serving-certkey/tls.crt';
  const served = new X509Certificate(node.texts[path] ?? '');
  const authority = new X509Certificate(
    later.resolved.valueOf(rotatorPairs)['loadbalancer-serving-signer']?.certPem ?? '',
  );
  const administrator = new X509Certificate(later.resolved.valueOf(clientPairs)['admin-client'].certPem);
  const trusted = new X509Certificate(node.resolved.valueOf(ownSigners)['admin-signer'].certPem);
  expect([served.checkIssued(authority), served.verify(authority.publicKey)]).toEqual([true, true]);
  expect([administrator.checkIssued(trusted), administrator.verify(trusted.publicKey)]).toEqual([true, true]);
});
