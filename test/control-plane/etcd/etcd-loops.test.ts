import { describe, expect, test } from 'vitest';

import { dialects } from '../../../src/control-plane/dialects.js';
import { etcdLoops } from '../../../src/control-plane/etcd/etcd-loops.js';
import { nodeIssuedCertificates } from '../../../src/control-plane/etcd/node-issued-certificates.js';
import { placeholderNode } from '../../../src/control-plane/shared/placeholders.js';
import { installedFiles } from '../../../src/control-plane/loops/installer.js';
import { configMaps, secrets } from '../../../src/control-plane/loops/kinds.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { runPipeline, type PipelineResult } from '../../../src/control-plane/loops/pipeline.js';
import { createStore } from '../../../src/control-plane/loops/store.js';
import { controlPlaneInputs } from '../../support/control-plane.js';

const profiles = ['OpenShift', 'Kubernetes'] as const;
const ofNode = ['etcd-peer', 'etcd-serving', 'etcd-serving-metrics'] as const;

function settle(inputs: ControlPlaneInputs, objects = inputs.seeds): PipelineResult {
  const { etcd } = dialects[inputs.profile];
  const pipeline = { loops: [etcdLoops(etcd)], revisioned: [etcd.revision] };
  const settled = runPipeline(pipeline, inputs, createStore(objects));
  if (!settled.ok) throw new Error('the loops of etcd do not settle');
  return settled.value;
}

function filesOf(inputs: ControlPlaneInputs): readonly { path: string; contents: string }[] {
  const files = installedFiles(settle(inputs).store, dialects[inputs.profile].etcd.revision, inputs.node);
  return files.map(({ path, contents }) => ({ path, contents: String(contents) }));
}

test.each(profiles)('the profile %s converges in one round, and stays unchanged', async (profile) => {
  const inputs = await controlPlaneInputs({ profile });
  const { store, rounds } = settle(inputs);
  expect(rounds).toBe(2);
  expect(settle(inputs, store.objects()).store.objects()).toEqual(store.objects());
});

describe('files on the disk', () => {
  const certs = '/etc/kubernetes/static-pod-resources/etcd-certs';
  const revisioned = '/etc/kubernetes/static-pod-resources/etcd-pod-1';
  const pairs = (...uses: readonly string[]): readonly string[] =>
    uses.flatMap((use) => [`etcd-${use}-sno.crt`, `etcd-${use}-sno.key`]);
  const podFiles = [
    '/etc/kubernetes/manifests/etcd-pod.yaml',
    `${revisioned}/configmaps/etcd-pod/forceRedeploymentReason`,
    `${revisioned}/configmaps/etcd-pod/pod.yaml`,
    `${revisioned}/configmaps/etcd-pod/version`,
    `${revisioned}/etcd-pod.yaml`,
  ];

  test('without operators: only the certificates that etcd reads', async () => {
    const files = filesOf(await controlPlaneInputs({ profile: 'Kubernetes' }));
    expect(files.map(({ path }) => path).toSorted()).toEqual(
      [
        ...podFiles,
        `${certs}/configmaps/etcd-all-bundles/server-ca-bundle.crt`,
        ...pairs('peer', 'serving').map((name) => `${certs}/secrets/etcd-all-certs/${name}`),
      ].toSorted(),
    );
  });

  test('with operators: their whole revision', async () => {
    const files = filesOf(await controlPlaneInputs({ profile: 'OpenShift' }));
    const both = [
      'configmaps/etcd-all-bundles/metrics-ca-bundle.crt',
      'configmaps/etcd-all-bundles/server-ca-bundle.crt',
      ...pairs('peer', 'serving', 'serving-metrics').map((name) => `secrets/etcd-all-certs/${name}`),
    ];
    expect(files.map(({ path }) => path).toSorted()).toEqual(
      [
        ...podFiles,
        `${revisioned}/configmaps/etcd-endpoints/MTkyLjE2OC4xMjYuMTA`,
        ...both.flatMap((path) => [`${certs}/${path}`, `${revisioned}/${path}`]),
      ].toSorted(),
    );
  });

  test('the revision is a text in the pod, as labels must be', async () => {
    const files = filesOf(await controlPlaneInputs({ profile: 'OpenShift' }));
    const pod = files.find(({ path }) => path === '/etc/kubernetes/manifests/etcd-pod.yaml');
    expect(pod?.contents).toContain('    revision: "1"\n');
    expect(pod?.contents).toContain('        - name: ETCD_STATIC_POD_VERSION\n          value: "1"\n');
    expect(pod?.contents).not.toContain('REVISION');
  });

  test.each(profiles)('every file that a flag of the profile %s names is there', async (profile) => {
    const files = filesOf(await controlPlaneInputs({ profile }));
    const pod = files.find(({ path }) => path === '/etc/kubernetes/manifests/etcd-pod.yaml');
    const named = pod?.contents.match(/\/etc\/kubernetes\/static-pod-certs\/[^\s"]+\.(crt|key)/g) ?? [];
    expect(named.length).toBeGreaterThan(5);
    const paths = new Set(files.map(({ path }) => path));
    const onHost = named.map((path) => path.replace('/etc/kubernetes/static-pod-certs', certs));
    expect(onHost.filter((path) => !paths.has(path))).toEqual([]);
  });
});

describe('objects for others', () => {
  test.each(profiles)(
    'kube-apiserver finds its pair and its authorities with the profile %s',
    async (profile) => {
      const { store } = settle(await controlPlaneInputs({ profile }));
      const original = store.get(secrets, 'openshift-etcd', 'etcd-client');
      expect(original).toBeDefined();
      expect(store.get(secrets, 'openshift-config', 'etcd-client')?.data).toEqual(original?.data);
      const bundle = store.get(configMaps, 'openshift-etcd', 'etcd-ca-bundle')?.data;
      expect(store.get(configMaps, 'openshift-config', 'etcd-serving-ca')?.data).toEqual(bundle);
      expect(store.get(configMaps, 'openshift-etcd', 'etcd-all-bundles')?.data['server-ca-bundle.crt']).toBe(
        bundle?.['ca-bundle.crt'],
      );
    },
  );

  test('the endpoint list contains the node, with a key derived only from its address', async () => {
    const inputs = await controlPlaneInputs({ profile: 'OpenShift' });
    expect(settle(inputs).store.get(configMaps, 'openshift-etcd', 'etcd-endpoints')?.data).toEqual({
      MTkyLjE2OC4xMjYuMTA: '192.168.126.10',
    });
  });

  test('are empty without operators', async () => {
    const { store } = settle(await controlPlaneInputs({ profile: 'Kubernetes' }));
    const kinds = new Set(store.objects().map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(['ConfigMap', 'Secret']);
  });
});

describe('certificates that the node issues', () => {
  test('are none when the installer issued them', async () => {
    expect(nodeIssuedCertificates(await controlPlaneInputs({ profile: 'OpenShift' }))).toEqual([]);
  });

  test('have all values that a script needs', async () => {
    const inputs = await controlPlaneInputs({
      profile: 'OpenShift',
      node: placeholderNode,
      withoutPairs: ofNode,
    });
    const [peer, ...others] = nodeIssuedCertificates(inputs);
    const folder = '/etc/kubernetes/static-pod-resources';
    const base = 'secrets/etcd-all-certs/etcd-peer-@@node-name@@';
    const keys = { certKey: 'etcd-peer-@@node-name@@.crt', keyKey: 'etcd-peer-@@node-name@@.key' };
    expect(peer).toEqual({
      name: 'etcd-peer',
      signer: 'etcd-signer',
      subject: { commonName: '127.0.0.1' },
      hostnames: [
        '127.0.0.1',
        '::1',
        '@@node-ip@@',
        'etcd.kube-system.svc',
        'etcd.kube-system.svc.cluster.local',
        'etcd.openshift-etcd.svc',
        'etcd.openshift-etcd.svc.cluster.local',
        'localhost',
      ],
      usages: ['clientAuth', 'serverAuth'],
      days: 1825,
      appendsSigner: true,
      files: ['etcd-pod-1', 'etcd-certs'].map((each) => ({
        certFile: `${folder}/${each}/${base}.crt`,
        keyFile: `${folder}/${each}/${base}.key`,
      })),
      objects: [
        {
          namespace: 'openshift-etcd',
          name: 'etcd-peer-@@node-name@@',
          certKey: 'tls.crt',
          keyKey: 'tls.key',
        },
        { namespace: 'openshift-etcd', name: 'etcd-all-certs', ...keys },
        { namespace: 'openshift-etcd', name: 'etcd-all-certs-1', ...keys },
      ],
    });
    expect(others.map(({ name, signer }) => ({ name, signer }))).toEqual([
      { name: 'etcd-serving', signer: 'etcd-signer' },
      { name: 'etcd-serving-metrics', signer: 'etcd-metric-signer' },
    ]);
  });

  test('are the files that the pod names and the installer step does not lay', async () => {
    const given = { profile: 'OpenShift', node: placeholderNode } as const;
    const complete = filesOf(await controlPlaneInputs(given)).map(({ path }) => path);
    const inputs = await controlPlaneInputs({ ...given, withoutPairs: ofNode });
    const laid = filesOf(inputs).map(({ path }) => path);
    const issued = nodeIssuedCertificates(inputs).flatMap(({ files }) =>
      files.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
    );
    expect([...laid, ...issued].toSorted()).toEqual(complete.toSorted());
    expect(issued.length).toBe(12);
  });

  test('leave the Secret of all pairs empty, for the node to fill', async () => {
    const { store } = settle(await controlPlaneInputs({ profile: 'OpenShift', withoutPairs: ofNode }));
    expect(store.get(secrets, 'openshift-etcd', 'etcd-all-certs')?.data).toEqual({});
  });
});
