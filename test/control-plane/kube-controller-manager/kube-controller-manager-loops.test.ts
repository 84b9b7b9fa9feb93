import { X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { serviceAccountKey } from '../../../src/control-plane/kube-controller-manager/service-account-key.js';
import { upstreamControllerManager } from '../../../src/control-plane/kube-controller-manager/upstream.js';
import { targetConfig } from '../../../src/control-plane/kube-controller-manager/kube-controller-manager-loops.js';
import { renderControlPlane } from '../../../src/control-plane/render-control-plane.js';
import { configMaps, secrets } from '../../../src/control-plane/loops/kinds.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { createStore, type Store } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';

const profiles = ['OpenShift', 'Kubernetes'] as const;
const namespace = 'openshift-kube-controller-manager';

interface Rendered {
  readonly store: Store;
  readonly files: ReadonlyMap<string, string>;
}

function render(inputs: ControlPlaneInputs): Rendered {
  const rendered = renderControlPlane(inputs);
  if (!rendered.ok) throw new Error('the loops do not reach a stable state');
  const { store, files } = rendered.value;
  const ours = files.filter(({ path }) => path.includes('kube-controller-manager'));
  return { store, files: new Map(ours.map(({ path, contents }) => [path, String(contents)])) };
}

describe('files on the disk', () => {
  const folder = '/etc/kubernetes/static-pod-resources';
  const revisioned = `${folder}/kube-controller-manager-pod-1`;
  const certs = `${folder}/kube-controller-manager-certs`;
  const always = [
    '/etc/kubernetes/manifests/kube-controller-manager-pod.yaml',
    ...['forceRedeploymentReason', 'pod.yaml', 'version'].map(
      (key) => `${revisioned}/configmaps/kube-controller-manager-pod/${key}`,
    ),
    `${revisioned}/configmaps/controller-manager-kubeconfig/kubeconfig`,
    `${revisioned}/configmaps/serviceaccount-ca/ca-bundle.crt`,
    `${revisioned}/secrets/service-account-private-key/service-account.key`,
    `${revisioned}/secrets/service-account-private-key/service-account.pub`,
    `${revisioned}/kube-controller-manager-pod.yaml`,
    `${certs}/configmaps/aggregator-client-ca/ca-bundle.crt`,
    `${certs}/configmaps/client-ca/ca-bundle.crt`,
    ...['crt', 'key'].flatMap((part) => [
      `${certs}/secrets/kube-controller-manager-client-cert-key/tls.${part}`,
      `${certs}/secrets/csr-signer/tls.${part}`,
    ]),
  ];
  const ofOperator = [
    `${revisioned}/configmaps/config/config.yaml`,
    `${revisioned}/configmaps/cluster-policy-controller-config/config.yaml`,
    `${revisioned}/configmaps/kube-controller-cert-syncer-kubeconfig/kubeconfig`,
    `${revisioned}/configmaps/recycler-config/recycler-pod.yaml`,
  ];

  test.each([
    ['Kubernetes', always],
    ['OpenShift', [...always, ...ofOperator]],
  ] as const)('with the profile %s', async (profile, want) => {
    const { files } = render(await controlPlaneInputs({ profile }));
    expect([...files.keys()].toSorted()).toEqual(want.toSorted());
  });

  test.each(profiles)('contain every file that the pod refers to, with the profile %s', async (profile) => {
    const { files } = render(await controlPlaneInputs({ profile }));
    const text = ['/etc/kubernetes/manifests/kube-controller-manager-pod.yaml', ...ofOperator, ...always]
      .filter((path) => /(yaml|kubeconfig)$/.test(path) && !path.includes('cert-syncer'))
      .map((path) => files.get(path) ?? '')
      .join('\n');
    const named = text.match(
      /\/etc\/kubernetes\/static-pod-(certs|resources)\/(configmaps|secrets)\/[^\s"]+/g,
    );
    const onHost = (named ?? []).map((path) =>
      path.replace(/^\/etc\/kubernetes\/static-pod-(certs|resources)/, (_mount, kind) =>
        kind === 'certs' ? certs : revisioned,
      ),
    );
    expect(onHost.length).toBeGreaterThan(8);
    expect(onHost.filter((path) => !files.has(path))).toEqual([]);
  });

  test('include a configuration file with the values of the flags', async () => {
    const { files } = render(await controlPlaneInputs({ profile: 'OpenShift' }));
    const config = parse(files.get(`${revisioned}/configmaps/config/config.yaml`) ?? '') as {
      kind: string;
      extendedArguments: Record<string, string[]>;
    };
    const pod = files.get('/etc/kubernetes/manifests/kube-controller-manager-pod.yaml') ?? '';
    const flags = Object.entries(config.extendedArguments).flatMap(([flag, values]) =>
      values.map((value) => `- --${flag}=${value}\n`),
    );
    expect(config.kind).toBe('KubeControllerManagerConfig');
    expect(flags.length).toBeGreaterThan(20);
    expect(flags.filter((flag) => !pod.includes(flag))).toEqual([]);
  });

  test('include a certificate of cluster-policy-controller for loopback', async () => {
    const { files } = render(await controlPlaneInputs({ profile: 'OpenShift' }));
    const path = `${revisioned}/configmaps/cluster-policy-controller-config/config.yaml`;
    expect(parse(files.get(path) ?? '')).toMatchObject({
      kind: 'OpenShiftControllerManagerConfig',
      servingInfo: {
        bindAddress: '127.0.0.1:10357',
        certFile: '',
        keyFile: '',
        minTLSVersion: 'VersionTLS12',
      },
    });
  });
});

describe('the signer of certificate requests', () => {
  const pemOf = (store: Store, from: string): string =>
    Buffer.from(store.get(secrets, from, 'csr-signer')?.data['tls.crt'] ?? '', 'base64').toString();

  test('is one certificate, of the chain that its operator keeps', async () => {
    const { store } = render(await controlPlaneInputs({ profile: 'Kubernetes' }));
    const kept = pemOf(store, 'openshift-kube-controller-manager-operator');
    const promoted = pemOf(store, namespace);
    expect(kept.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    expect(promoted.match(/BEGIN CERTIFICATE/g)).toHaveLength(1);
    expect(kept.startsWith(promoted)).toBe(true);
  });

  test.each(profiles)('is known to kube-apiserver and to itself with the profile %s', async (profile) => {
    const { store } = render(await controlPlaneInputs({ profile }));
    const signer = new X509Certificate(pemOf(store, namespace)).toString();
    for (const [where, name] of [
      ['openshift-config-managed', 'csr-controller-ca'],
      ['openshift-kube-apiserver', 'client-ca'],
      ['openshift-kube-apiserver', 'kubelet-serving-ca'],
      [namespace, 'client-ca'],
    ] as const)
      expect(store.get(configMaps, where, name)?.data['ca-bundle.crt']).toContain(signer);
  });

  test('is in its bundle together with its issuer, as its operator writes it', async () => {
    const { store } = render(await controlPlaneInputs({ profile: 'OpenShift' }));
    const operator = 'openshift-kube-controller-manager-operator';
    const bundle = (name: string) => store.get(configMaps, operator, name)?.data['ca-bundle.crt'];
    expect(bundle('csr-signer-ca')).toBe(pemOf(store, operator));
    expect(bundle('csr-controller-ca')).toBe(pemOf(store, operator));
    expect(pemOf(store, operator)).toContain(bundle('csr-controller-signer-ca'));
  });

  test('is skipped if it is missing', async () => {
    const inputs = await controlPlaneInputs({ profile: 'Kubernetes', issued: {} });
    const store = targetConfig(upstreamControllerManager).run(createStore([]), inputs);
    expect(store.get(secrets, namespace, 'csr-signer')).toBeUndefined();
  });
});

describe('the key of legacy service-account tokens', () => {
  test('matches the public key of kube-apiserver', async () => {
    const inputs = await controlPlaneInputs({ profile: 'Kubernetes' });
    const { store } = render(inputs);
    const key = store.get(secrets, namespace, 'service-account-private-key')?.data['service-account.key'];
    expect(Buffer.from(key ?? '', 'base64').toString()).toBe(
      inputs.serviceAccountKeys.legacy.keyPem.reveal(),
    );
    expect(
      store.get(configMaps, 'openshift-kube-apiserver', 'sa-token-signing-certs')?.data[
        'service-account-001.pub'
      ],
    ).toBe(inputs.serviceAccountKeys.legacy.publicKeyPem);
  });

  test('stays when another one is added, and is skipped if it is missing', async () => {
    const inputs = await controlPlaneInputs({ profile: 'Kubernetes', issued: {} });
    const first = serviceAccountKey.run(createStore(inputs.seeds), inputs);
    const [initial] = first.list(secrets, 'openshift-config');
    if (initial === undefined) throw new Error('no key among the seeds');
    const replaced = first.put({ ...initial, data: { 'service-account.key': 'b3RoZXI=' } });
    expect(serviceAccountKey.run(replaced, inputs)).toBe(replaced);
    expect(serviceAccountKey.run(createStore([]), inputs).objects()).toEqual([]);
  });
});

test.each(profiles)('a second run does not change its own objects with the profile %s', async (profile) => {
  const inputs = await controlPlaneInputs({ profile });
  const { store } = render(inputs);
  const again = render({ ...inputs, seeds: store.objects() });
  expect(again.store.objects()).toEqual(store.objects());
});

test('distributes ingress certificate bundles to clients when they exist', async () => {
  const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
  const [seed] = inputs.seeds.filter(({ metadata }) => metadata.name === 'admin-kubeconfig-client-ca');
  if (seed === undefined) throw new Error('no authority among the seeds');
  const ingress = { namespace: 'openshift-config-managed', name: 'default-ingress-cert' };
  const { store } = render({ ...inputs, seeds: [...inputs.seeds, { ...seed, metadata: ingress }] });
  const bundle = store.get(configMaps, namespace, 'serviceaccount-ca')?.data['ca-bundle.crt'];
  expect(bundle).toContain(store.get(configMaps, ingress.namespace, ingress.name)?.data['ca-bundle.crt']);
});
