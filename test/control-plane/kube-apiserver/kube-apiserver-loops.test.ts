import { describe, expect, test } from 'vitest';

import { dialects } from '../../../src/control-plane/dialects.js';
import { kubeApiserverLoops } from '../../../src/control-plane/kube-apiserver/kube-apiserver-loops.js';
import { kubeApiserverOperators } from '../../../src/control-plane/kube-apiserver/operator-config.js';
import { configMap } from '../../../src/kube/core-objects.js';
import { configMaps, secrets } from '../../../src/control-plane/loops/kinds.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverFiles, settledApiserver } from '../../support/settled-apiserver.js';

const profiles = ['OpenShift', 'Kubernetes'] as const;
const namespace = 'openshift-kube-apiserver';
const managed = 'openshift-config-managed';
const encryption = { provider: 'secretbox', key: Buffer.alloc(32, 3).toString('base64') } as const;

describe.each(profiles)('with the profile %s', (profile) => {
  test('the loops converge in three rounds, and do not change their own results', async () => {
    const inputs = await controlPlaneInputs({ profile, encryption });
    const { store, rounds } = settledApiserver(inputs);
    expect(rounds).toBe(3);
    expect(settledApiserver(inputs, store.objects()).store.objects()).toEqual(store.objects());
  });

  test('the order of the seeds does not count', async () => {
    const inputs = await controlPlaneInputs({ profile, encryption });
    const reversed = settledApiserver(inputs, inputs.seeds.toReversed());
    expect(reversed.store.objects()).toEqual(settledApiserver(inputs).store.objects());
  });

  test('each loop skips missing objects', async () => {
    const inputs = await controlPlaneInputs({ profile, issued: {}, seeds: [] });
    const { first, settling } = kubeApiserverLoops(dialects[profile].apiserver);
    const store = [...first, ...settling].reduce((each, loop) => loop.run(each, inputs), createStore([]));
    expect(store.get(configMaps, namespace, 'client-ca')).toBeUndefined();
    expect(store.get(configMaps, namespace, 'kube-apiserver-pod')).toBeDefined();
  });

  test('every file that is named anywhere is laid, and every file laid is mounted', async () => {
    const files = apiserverFiles(await controlPlaneInputs({ profile, encryption }));
    const mounts = {
      '/etc/kubernetes/static-pod-resources': '/etc/kubernetes/static-pod-resources/kube-apiserver-pod-1',
      '/etc/kubernetes/static-pod-certs': '/etc/kubernetes/static-pod-resources/kube-apiserver-certs',
    };
    const texts = [...files.values()].join('\n');
    const named = texts.match(
      /\/etc\/kubernetes\/static-pod-(?:certs|resources)\/(?:configmaps|secrets)\/[\w./-]+/g,
    );
    const onHost = [...new Set(named)].map((path) =>
      Object.entries(mounts).reduce(
        (each, [inside, host]) => (each.startsWith(`${inside}/`) ? each.replace(inside, host) : each),
        path,
      ),
    );
    const missing = onHost.filter(
      (path) => ![...files.keys()].some((each) => `${each}/`.startsWith(`${path}/`)),
    );
    // A sidecar of a later revision reads this token. It cannot be issued before there is an API.
    const token = `${mounts['/etc/kubernetes/static-pod-resources']}/secrets/localhost-recovery-client-token/token`;
    expect(missing).toEqual(profile === 'OpenShift' ? [token] : []);
    expect(onHost.length).toBeGreaterThan(20);
    const outside = [...files.keys()].filter(
      (path) => !Object.values(mounts).some((folder) => path.startsWith(`${folder}/`)),
    );
    expect(outside).toEqual(['/etc/kubernetes/manifests/kube-apiserver-pod.yaml']);
  });

  test('client-ca contains every client authority once', async () => {
    const inputs = await controlPlaneInputs({ profile });
    const { store } = settledApiserver(inputs);
    const seeded = ['admin-kubeconfig-client-ca', 'kubelet-bootstrap-kubeconfig', 'csr-controller-ca'].map(
      (name) => store.list(configMaps).find(({ metadata }) => metadata.name === name)?.data['ca-bundle.crt'],
    );
    const issued = [
      'kube-apiserver-to-kubelet-signer',
      'kube-control-plane-signer',
      'node-system-admin-signer',
    ] as const;
    const wanted = [...seeded, ...issued.map((name) => inputs.issued[name]?.certPem)];
    const bundle = store.get(configMaps, namespace, 'client-ca')?.data['ca-bundle.crt'] ?? '';
    expect(bundle.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\n/g)?.toSorted()).toEqual(
      wanted.toSorted(),
    );
    expect(store.get(configMaps, managed, 'kube-apiserver-client-ca')?.data['ca-bundle.crt']).toBe(bundle);
  });

  test('the server bundle contains the authority of every serving certificate', async () => {
    const inputs = await controlPlaneInputs({ profile });
    const { store } = settledApiserver(inputs);
    const bundle = store.get(configMaps, managed, 'kube-apiserver-server-ca')?.data['ca-bundle.crt'];
    for (const name of [
      'loadbalancer-serving-signer',
      'localhost-serving-signer',
      'service-network-serving-signer',
      'localhost-recovery-serving-signer',
    ] as const)
      expect(bundle).toContain(inputs.issued[name]?.certPem);
  });

  test('the key of bound tokens signs, and its public half verifies', async () => {
    const inputs = await controlPlaneInputs({ profile });
    const { store } = settledApiserver(inputs);
    const { keyPem, publicKeyPem } = inputs.serviceAccountKeys.bound;
    const signing = store.get(secrets, namespace, 'bound-service-account-signing-key')?.data ?? {};
    expect(Buffer.from(signing['service-account.key'] ?? '', 'base64').toString()).toBe(keyPem.reveal());
    for (const each of [namespace, managed])
      expect(store.get(configMaps, each, 'bound-sa-token-signing-certs')?.data).toEqual({
        'service-account-001.pub': publicKeyPem,
      });
  });

  test('a public key that was there goes on to verify', async () => {
    const inputs = await controlPlaneInputs({ profile });
    const earlier = configMap(
      { namespace, name: 'bound-sa-token-signing-certs' },
      { 'service-account-001.pub': 'earlier' },
    );
    const { store } = settledApiserver(inputs, [...inputs.seeds, earlier]);
    expect(store.get(configMaps, namespace, 'bound-sa-token-signing-certs')?.data).toEqual({
      'service-account-001.pub': 'earlier',
      'service-account-002.pub': inputs.serviceAccountKeys.bound.publicKeyPem,
    });
  });

  test('the observed config replaces the earlier one, and keeps the other fields of the operator’s object', async () => {
    const inputs = await controlPlaneInputs({ profile });
    const operator = {
      apiVersion: 'operator.openshift.io/v1',
      kind: 'KubeAPIServer',
      metadata: { name: 'cluster', annotations: { 'release.openshift.io/create-only': 'true' } },
      spec: {
        managementState: 'Managed',
        logLevel: 'Debug',
        observedConfig: { servicesSubnet: '10.0.0.0/16' },
      },
    };
    const { store } = settledApiserver(inputs, [...inputs.seeds, operator]);
    expect(store.get(kubeApiserverOperators, '', 'cluster')).toMatchObject({
      metadata: operator.metadata,
      spec: { logLevel: 'Debug', observedConfig: { servicesSubnet: '172.30.0.0/16' } },
    });
  });
});
