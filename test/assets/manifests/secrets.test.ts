import { describe, expect, it } from 'vitest';

import { masterPointer, workerPointer } from '../../../src/assets/ignition/pointer.js';
import { leaves, signers } from '../../../src/assets/tls/certificates.js';
import { defineAsset } from '../../../src/graph/asset.js';
import { allManifests, installConfigText, made, manifests, textsOf } from './generate.js';

/** The manifests and the assets they are made from, in one run. */
const both = defineAsset({
  name: 'test/both',
  needs: {
    manifests,
    ca: signers['root-ca'],
    serving: leaves['machine-config-server'],
    master: masterPointer,
    worker: workerPointer,
  },
  make: (parents) => parents,
});

async function run(): Promise<{ text: (path: string) => string | undefined } & Parents> {
  const result = await made(both);
  if (!result.ok) throw new Error('the config has problems');
  return { ...result.value, text: (path) => result.value.manifests.find((each) => each.path === path)?.text };
}

type Parents = Parameters<Exclude<typeof both.files, undefined>>[0];

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

function block(text: string): string {
  return `|\n${text.replaceAll(/^(?=.)/gm, '    ')}`;
}

describe('secrets', () => {
  it('the pull secret, as it was given', async () => {
    const given = '{"auths":{"quay.io":{"auth":"dGhyb3dhd2F5OnRocm93YXdheQ=="}}}';
    expect(installConfigText()).toContain(given);
    expect((await textsOf())['manifests/openshift-config-secret-pull-secret.yaml']).toBe(`apiVersion: v1
data:
  .dockerconfigjson: ${base64(given)}
kind: Secret
metadata:
  name: pull-secret
  namespace: openshift-config
type: kubernetes.io/dockerconfigjson
`);
  });

  it('empty cloud settings', async () => {
    expect((await textsOf())['manifests/kube-cloud-config.yaml']).toBe(`apiVersion: v1
data:
  config: ""
kind: Secret
metadata:
  name: kube-cloud-cfg
  namespace: kube-system
type: Opaque
`);
  });

  it('the hash of the kubeadmin password', async () => {
    expect((await textsOf())['openshift/99_kubeadmin-password-secret.yaml']).toBe(`apiVersion: v1
data:
  kubeadmin: ${base64('$2a$10$abcdefghijklmnopqrstuuZ1dFQWpB6uDWVUWFz1PpmFnAVp1MSKa')}
kind: Secret
metadata:
  name: kubeadmin
  namespace: kube-system
type: Opaque
`);
  });

  it('pointer configs of machines', async () => {
    const { text, master, worker } = await run();
    for (const [role, pointer] of [
      ['master', master],
      ['worker', worker],
    ] as const) {
      expect(text(`openshift/99_openshift-cluster-api_${role}-user-data-secret.yaml`)).toBe(`apiVersion: v1
data:
  disableTemplating: ${base64('true\n')}
  userData: ${base64(pointer)}
kind: Secret
metadata:
  name: ${role}-user-data
  namespace: openshift-machine-api
type: Opaque
`);
    }
  });
});

describe('the certificates of the machine config server', () => {
  it('its authority', async () => {
    const { text, ca } = await run();
    expect(text('manifests/kube-system-configmap-root-ca.yaml')).toBe(`apiVersion: v1
data:
  ca.crt: ${block(ca.certPem)}kind: ConfigMap
metadata:
  name: root-ca
  namespace: kube-system
`);
    expect(text('manifests/machine-config-server-ca-configmap.yaml')).toBe(`apiVersion: v1
data:
  ca-bundle.crt: ${block(ca.certPem)}kind: ConfigMap
metadata:
  annotations:
    openshift.io/description: The authorities that signed the certificate of the machine config server
    openshift.io/owning-component: Machine Config Operator
  labels:
    auth.openshift.io/managed-certificate-type: ca-bundle
  name: machine-config-server-ca
  namespace: openshift-machine-config-operator
`);
    expect(text('manifests/machine-config-server-ca-secret.yaml')).toBe(`apiVersion: v1
data:
  tls.crt: ${base64(ca.certPem)}
  tls.key: ${base64(ca.keyPem.reveal())}
kind: Secret
metadata:
  annotations:
    auth.openshift.io/certificate-issuer: root-ca
    auth.openshift.io/certificate-not-after: ${quoted(ca.notAfter)}
    auth.openshift.io/certificate-not-before: ${quoted(ca.notBefore)}
  labels:
    auth.openshift.io/managed-certificate-type: signer
  name: machine-config-server-ca
  namespace: openshift-machine-config-operator
type: kubernetes.io/tls
`);
  });

  it('its own', async () => {
    const { text, serving } = await run();
    expect(text('manifests/machine-config-server-tls-secret.yaml')).toBe(`apiVersion: v1
data:
  tls.crt: ${base64(serving.chainPem)}
  tls.key: ${base64(serving.keyPem.reveal())}
kind: Secret
metadata:
  annotations:
    auth.openshift.io/certificate-hostnames: api-int.edge.example.com
    auth.openshift.io/certificate-issuer: root-ca
    auth.openshift.io/certificate-not-after: ${quoted(serving.notAfter)}
    auth.openshift.io/certificate-not-before: ${quoted(serving.notBefore)}
  labels:
    auth.openshift.io/managed-certificate-type: target
  name: machine-config-server-tls
  namespace: openshift-machine-config-operator
type: kubernetes.io/tls
`);
  });
});

/** RFC 3339 without fractions, in quotes because YAML 1.1 reads it as a timestamp. */
function quoted(time: Date): string {
  return JSON.stringify(`${time.toISOString().slice(0, 19)}Z`);
}

describe('private material', () => {
  it('is in Secrets only', async () => {
    const secret = (await allManifests()).filter(({ isSecret }) => isSecret).map(({ path }) => path);
    expect(secret).toEqual([
      'manifests/kube-cloud-config.yaml',
      'manifests/machine-config-server-ca-secret.yaml',
      'manifests/machine-config-server-tls-secret.yaml',
      'manifests/openshift-config-secret-pull-secret.yaml',
      'openshift/99_kubeadmin-password-secret.yaml',
      'openshift/99_openshift-cluster-api_master-user-data-secret.yaml',
      'openshift/99_openshift-cluster-api_worker-user-data-secret.yaml',
    ]);
  });

  it('and in whatever names a proxy with a password', async () => {
    const install = 'proxy:\n  httpProxy: http://user:throwaway@proxy.example.com:3128\n';
    const all = await allManifests({ install });
    const holders = all
      .filter(({ text }) => text.includes('throwaway@'))
      .map(({ path, isSecret }) => ({ path, isSecret }));
    expect(holders).toEqual([
      { path: 'manifests/cluster-config.yaml', isSecret: true },
      { path: 'manifests/cluster-proxy-01-config.yaml', isSecret: true },
    ]);
  });

  it('is not in the install-config that the cluster keeps', async () => {
    const { 'manifests/cluster-config.yaml': text } = await textsOf();
    expect(text).toContain('pullSecret: ""');
    expect(text).not.toContain('dGhyb3dhd2F5');
  });
});
