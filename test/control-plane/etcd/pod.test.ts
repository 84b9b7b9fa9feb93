import { describe, expect, test } from 'vitest';

import { placeholderNode } from '../../../src/control-plane/shared/placeholders.js';
import type { Container } from '../../../src/kube/pod-object.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import { controlPlaneInputs, type ControlPlaneCase } from '../../support/control-plane.js';
import { etcdPod } from '../../support/dialects.js';

const certs = '/etc/kubernetes/static-pod-certs';
const ipv6 = { family: 'IPv6' } as const;

async function inputsFor(given: ControlPlaneCase): Promise<ControlPlaneInputs> {
  return controlPlaneInputs({ ...given, issued: {} });
}

describe('with upstream flags', () => {
  test('listens on loopback only, and names no other peer', async () => {
    const inputs = await inputsFor({ profile: 'Kubernetes' });
    const given = argumentsOf(etcdPod(inputs).spec.containers[0]);
    expect(given).toMatchObject({
      'advertise-client-urls': 'https://127.0.0.1:2379',
      'initial-advertise-peer-urls': 'https://127.0.0.1:2380',
      'listen-client-urls': 'https://127.0.0.1:2379',
      'listen-metrics-urls': 'http://127.0.0.1:2381',
      'listen-peer-urls': 'https://127.0.0.1:2380',
      ...pairsOf('sno'),
    });
    expect(given).not.toHaveProperty('initial-cluster');
  });

  test('does not depend on the address of the node', async () => {
    const inputs = await inputsFor({ profile: 'Kubernetes' });
    const elsewhere = { ...inputs, node: { ...placeholderNode, name: inputs.node.name } };
    expect(etcdPod(elsewhere)).toEqual(etcdPod(inputs));
  });

  test('speaks IPv6 on an IPv6 network', async () => {
    const inputs = await inputsFor({ profile: 'Kubernetes' });
    const [container] = etcdPod({ ...inputs, networks: { ...inputs.networks, ...ipv6 } }).spec.containers;
    expect(argumentsOf(container)).toMatchObject({
      'listen-client-urls': 'https://[::1]:2379',
      'listen-metrics-urls': 'http://[::1]:2381',
      'initial-advertise-peer-urls': 'https://[::1]:2380',
    });
    expect(container?.livenessProbe?.httpGet?.host).toBe('::1');
  });

  test.each([
    ['3.4', '/health?serializable=false', '/health?exclude=NOSPACE&serializable=true'],
    ['3.5', '/health?serializable=false', '/health?exclude=NOSPACE&serializable=true'],
    ['3.6', '/readyz', '/livez'],
    ['4.0', '/readyz', '/livez'],
  ] as const)('probes etcd %s at a path that it supports', async (etcd, ready, live) => {
    const inputs = await inputsFor({ profile: 'Kubernetes', versions: { kubernetesMinor: 36, etcd } });
    const [container] = etcdPod(inputs).spec.containers;
    expect(container?.startupProbe?.httpGet?.path).toBe(ready);
    expect(container?.readinessProbe?.httpGet?.path).toBe(ready);
    expect(container?.livenessProbe?.httpGet?.path).toBe(live);
  });

  test('runs alone in kube-system with the upstream name', async () => {
    const { metadata, spec } = etcdPod(await inputsFor({ profile: 'Kubernetes' }));
    expect(metadata).toEqual({
      name: 'etcd',
      namespace: 'kube-system',
      labels: { component: 'etcd', tier: 'control-plane' },
    });
    expect(spec.containers.map(({ name }) => name)).toEqual(['etcd']);
  });
});

describe('with the names of its operator', () => {
  test('the pod is the one that the operator looks for', async () => {
    const { metadata, spec } = etcdPod(await inputsFor({ profile: 'OpenShift' }));
    expect(metadata).toMatchObject({
      name: 'etcd',
      namespace: 'openshift-etcd',
      labels: { app: 'etcd', etcd: 'true', 'k8s-app': 'etcd', revision: 'REVISION' },
    });
    expect(spec.containers.map(({ name }) => name)).toEqual([
      'etcdctl',
      'etcd',
      'etcd-metrics',
      'etcd-readyz',
    ]);
  });

  test('listens on every interface and advertises the address of the node', async () => {
    const pod = etcdPod(await inputsFor({ profile: 'OpenShift', node: placeholderNode }));
    const given = argumentsOf(pod.spec.containers[1]);
    expect(given).toMatchObject({
      'advertise-client-urls': 'https://@@node-url-host@@:2379',
      'initial-advertise-peer-urls': 'https://@@node-url-host@@:2380',
      'listen-client-urls': 'https://0.0.0.0:2379',
      'listen-metrics-urls': 'https://0.0.0.0:9978',
      'listen-peer-urls': 'https://0.0.0.0:2380',
      ...pairsOf('@@node-name@@'),
    });
    expect(given).not.toHaveProperty('initial-cluster');
  });

  test.each([
    ['3.5', 'ETCD_EXPERIMENTAL_'],
    ['3.6', 'ETCD_'],
  ] as const)('the environment of etcd %s is the one of its payload', async (etcd, prefix) => {
    const inputs = await inputsFor({ profile: 'OpenShift', versions: { kubernetesMinor: 33, etcd } });
    const environment = environmentOf(etcdPod(inputs).spec.containers[1]);
    const versioned = ['MAX_LEARNERS', 'WARNING_APPLY_DURATION', 'WATCH_PROGRESS_NOTIFY_INTERVAL'];
    const names = Object.keys(environment).filter((name) => versioned.some((each) => name.endsWith(each)));
    expect(names.toSorted()).toEqual(versioned.map((name) => `${prefix}${name}`));
    expect(environment).toMatchObject({ ETCD_NAME: 'sno', ETCD_QUOTA_BACKEND_BYTES: '8589934592' });
  });

  // etcd 3.6 has this number as its default. Source: cluster-etcd-operator release-4.18 to 4.20 bindata/etcd/pod.gotpl.yaml
  test.each([
    ['3.5', '10000'],
    ['3.6', undefined],
  ] as const)('sets the number of log entries of etcd %s: %s', async (etcd, want) => {
    const inputs = await inputsFor({ profile: 'OpenShift', versions: { kubernetesMinor: 33, etcd } });
    expect(argumentsOf(etcdPod(inputs).spec.containers[1])['snapshot-count']).toBe(want);
  });

  test('a shell in the first container reaches etcd', async () => {
    const inputs = await inputsFor({ profile: 'OpenShift' });
    expect(environmentOf(etcdPod(inputs).spec.containers[0])).toEqual({
      ALL_ETCD_ENDPOINTS: 'https://192.168.126.10:2379',
      ETCDCTL_CACERT: `${certs}/configmaps/etcd-all-bundles/server-ca-bundle.crt`,
      ETCDCTL_CERT: `${certs}/secrets/etcd-all-certs/etcd-peer-sno.crt`,
      ETCDCTL_ENDPOINTS: 'https://192.168.126.10:2379',
      ETCDCTL_KEY: `${certs}/secrets/etcd-all-certs/etcd-peer-sno.key`,
      ETCD_IMAGE: inputs.images.etcd,
      NODE_sno_ETCD_NAME: 'sno',
      NODE_sno_ETCD_URL_HOST: '192.168.126.10',
      NODE_sno_IP: '192.168.126.10',
    });
  });
});

test.each([
  ['OpenShift', '3.5'],
  ['OpenShift', '3.6'],
  ['Kubernetes', '3.4'],
  ['Kubernetes', '3.5'],
  ['Kubernetes', '3.6'],
] as const)('every flag of the profile %s is one of etcd %s', async (profile, etcd) => {
  const inputs = await inputsFor({ profile, versions: { kubernetesMinor: 36, etcd } });
  const container = etcdPod(inputs).spec.containers.find(({ name }) => name === 'etcd');
  const flags = Object.keys(argumentsOf(container));
  expect(flagProblems('etcd', inputs.versions, flags, programSources[profile])).toEqual([]);
});

test.each(['OpenShift', 'Kubernetes'] as const)(
  'arguments of the user take the place of ours with the profile %s',
  async (profile) => {
    const inputs = await inputsFor({ profile });
    const etcd = { 'quota-backend-bytes': ['4294967296'], 'max-snapshots': ['3'], 'log-level': ['debug'] };
    const extraArguments = { ...inputs.extraArguments, etcd };
    const container = etcdPod({ ...inputs, extraArguments }).spec.containers.find(
      ({ name }) => name === 'etcd',
    );
    const settings = { ...argumentsOf(container), ...environmentOf(container) };
    const quota = profile === 'OpenShift' ? 'ETCD_QUOTA_BACKEND_BYTES' : 'quota-backend-bytes';
    expect(settings).toMatchObject({ [quota]: '4294967296', 'max-snapshots': '3', 'log-level': 'debug' });
  },
);

/** Flags for the certificates that clients and peers use for mutual TLS. */
function pairsOf(node: string): Readonly<Record<string, string>> {
  const pair = (name: string): string => `${certs}/secrets/etcd-all-certs/etcd-${name}-${node}`;
  return {
    'cert-file': `${pair('serving')}.crt`,
    'client-cert-auth': 'true',
    'key-file': `${pair('serving')}.key`,
    'peer-cert-file': `${pair('peer')}.crt`,
    'peer-client-cert-auth': 'true',
    'peer-key-file': `${pair('peer')}.key`,
    'peer-trusted-ca-file': `${certs}/configmaps/etcd-all-bundles/server-ca-bundle.crt`,
    'trusted-ca-file': `${certs}/configmaps/etcd-all-bundles/server-ca-bundle.crt`,
  };
}

function argumentsOf(container: Container | undefined): Readonly<Record<string, string>> {
  const given = container?.args ?? [];
  return Object.fromEntries(
    given.map((argument) => {
      const equals = argument.indexOf('=');
      return [argument.slice(2, equals), argument.slice(equals + 1)] as const;
    }),
  );
}

function environmentOf(container: Container | undefined): Readonly<Record<string, string>> {
  const given = container?.env ?? [];
  return Object.fromEntries(given.map((each) => [each.name, 'value' in each ? each.value : '']));
}
