import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

import { renderControlPlane } from '../../../src/control-plane/render-control-plane.js';
import { intermediateTls } from '../../../src/control-plane/shared/tls-profile.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import { controlPlaneInputs } from '../../support/control-plane.js';

const certs = '/etc/kubernetes/static-pod-certs';
const resources = '/etc/kubernetes/static-pod-resources';
const kubeconfig = `${resources}/configmaps/scheduler-kubeconfig/kubeconfig`;
const revisioned = `${resources}/kube-scheduler-pod-1`;
const podPath = '/etc/kubernetes/manifests/kube-scheduler-pod.yaml';
const profiles = ['OpenShift', 'Kubernetes'] as const;

interface Probe {
  readonly httpGet: object;
}

interface RenderedPod {
  readonly metadata: object;
  readonly spec: {
    readonly containers: readonly {
      readonly command: readonly string[];
      readonly args: readonly string[];
      readonly startupProbe?: Probe;
      readonly readinessProbe?: Probe;
      readonly livenessProbe?: Probe;
    }[];
  };
}

function filesOf(inputs: ControlPlaneInputs): ReadonlyMap<string, string> {
  const rendered = renderControlPlane(inputs);
  if (!rendered.ok) throw new Error('the loops do not reach a stable state');
  const ours = rendered.value.files.filter(({ path }) => path.includes('kube-scheduler'));
  return new Map(ours.map(({ path, contents }) => [path, String(contents)]));
}

function podOf(files: ReadonlyMap<string, string>): RenderedPod {
  return parse(files.get(podPath) ?? '') as RenderedPod;
}

function flagsOf(files: ReadonlyMap<string, string>): Readonly<Record<string, string>> {
  const [container] = podOf(files).spec.containers;
  return Object.fromEntries(
    (container?.args ?? []).map((argument) => {
      const equals = argument.indexOf('=');
      return [argument.slice(2, equals), argument.slice(equals + 1)] as const;
    }),
  );
}

describe('files on the disk', () => {
  const always = [
    podPath,
    ...['forceRedeploymentReason', 'pod.yaml', 'version'].map(
      (key) => `${revisioned}/configmaps/kube-scheduler-pod/${key}`,
    ),
    `${revisioned}/configmaps/config/config.yaml`,
    `${revisioned}/configmaps/scheduler-kubeconfig/kubeconfig`,
    `${revisioned}/configmaps/serviceaccount-ca/ca-bundle.crt`,
    `${revisioned}/kube-scheduler-pod.yaml`,
    `${resources}/kube-scheduler-certs/secrets/kube-scheduler-client-cert-key/tls.crt`,
    `${resources}/kube-scheduler-certs/secrets/kube-scheduler-client-cert-key/tls.key`,
  ];

  test.each([
    ['Kubernetes', always],
    ['OpenShift', [...always, `${revisioned}/configmaps/kube-scheduler-cert-syncer-kubeconfig/kubeconfig`]],
  ] as const)('with the profile %s', async (profile, want) => {
    const files = filesOf(await controlPlaneInputs({ profile }));
    expect([...files.keys()].toSorted()).toEqual(want.toSorted());
  });

  test.each(profiles)(
    'the kubeconfig goes over loopback to files that are there, with %s',
    async (profile) => {
      const files = filesOf(await controlPlaneInputs({ profile }));
      expect(
        parse(files.get(`${revisioned}/configmaps/scheduler-kubeconfig/kubeconfig`) ?? ''),
      ).toMatchObject({
        clusters: [
          {
            cluster: {
              server: 'https://localhost:6443',
              'certificate-authority': `${resources}/configmaps/serviceaccount-ca/ca-bundle.crt`,
            },
          },
        ],
        users: [
          {
            user: {
              'client-certificate': `${certs}/secrets/kube-scheduler-client-cert-key/tls.crt`,
              'client-key': `${certs}/secrets/kube-scheduler-client-cert-key/tls.key`,
            },
          },
        ],
      });
    },
  );
});

describe('with upstream flags', () => {
  test('all of them, and a file that elects no leader', async () => {
    const files = filesOf(await controlPlaneInputs({ profile: 'Kubernetes' }));
    expect(podOf(files).metadata).toEqual({
      name: 'kube-scheduler',
      namespace: 'kube-system',
      labels: { component: 'kube-scheduler', tier: 'control-plane' },
    });
    expect(podOf(files).spec.containers.map(({ command }) => command)).toEqual([['kube-scheduler']]);
    expect(flagsOf(files)).toEqual({
      'authentication-kubeconfig': kubeconfig,
      'authorization-kubeconfig': kubeconfig,
      'bind-address': '127.0.0.1',
      config: `${resources}/configmaps/config/config.yaml`,
      'tls-cipher-suites': intermediateTls.cipherSuites.join(','),
      'tls-min-version': 'VersionTLS12',
      v: '2',
    });
    expect(parse(files.get(`${revisioned}/configmaps/config/config.yaml`) ?? '')).toEqual({
      apiVersion: 'kubescheduler.config.k8s.io/v1',
      kind: 'KubeSchedulerConfiguration',
      clientConnection: { kubeconfig },
      enableContentionProfiling: false,
      enableProfiling: false,
      leaderElection: { leaderElect: false },
    });
  });

  test.each([
    [30, '/healthz', '/healthz'],
    [31, '/livez', '/readyz'],
    [36, '/livez', '/readyz'],
  ])('probes Kubernetes 1.%i at a path that it supports', async (kubernetesMinor, live, ready) => {
    const versions = { kubernetesMinor, etcd: '3.5' } as const;
    const [container] = podOf(filesOf(await controlPlaneInputs({ profile: 'Kubernetes', versions }))).spec
      .containers;
    const at = { scheme: 'HTTPS', host: '127.0.0.1', port: 10259 };
    expect(container?.livenessProbe?.httpGet).toEqual({ ...at, path: live });
    expect(container?.startupProbe?.httpGet).toEqual({ ...at, path: live });
    expect(container?.readinessProbe?.httpGet).toEqual({ ...at, path: ready });
  });

  test('listens on the loopback of IPv6 where the cluster speaks that', async () => {
    const inputs = await controlPlaneInputs({ profile: 'Kubernetes' });
    const networks = { ...inputs.networks, serviceNetwork: ['fd02::/112'], family: 'IPv6' as const };
    expect(flagsOf(filesOf({ ...inputs, networks }))).toMatchObject({ 'bind-address': '::1' });
  });
});

test('with the names of its operator the pod is the one that the operator looks for', async () => {
  const files = filesOf(await controlPlaneInputs({ profile: 'OpenShift' }));
  expect(podOf(files).metadata).toMatchObject({
    name: 'openshift-kube-scheduler',
    namespace: 'openshift-kube-scheduler',
    labels: { app: 'openshift-kube-scheduler', scheduler: 'true', revision: '1' },
  });
  expect(podOf(files).spec.containers.map(({ command }) => command)).toEqual([
    ['hyperkube', 'kube-scheduler'],
  ]);
  expect(parse(files.get(`${revisioned}/configmaps/config/config.yaml`) ?? '')).toMatchObject({
    leaderElection: {
      leaderElect: true,
      leaseDuration: '137s',
      renewDeadline: '107s',
      retryPeriod: '26s',
      resourceLock: 'leases',
      resourceNamespace: 'openshift-kube-scheduler',
    },
  });
});

describe.each(profiles)('with the profile %s', (profile) => {
  test.each([32, 33, 34, 35, 36])('every flag is one of Kubernetes 1.%i', async (kubernetesMinor) => {
    const inputs = await controlPlaneInputs({ profile, versions: { kubernetesMinor, etcd: '3.6' } });
    const flags = Object.keys(flagsOf(filesOf(inputs)));
    expect(flagProblems('kube-scheduler', inputs.versions, flags, programSources[profile])).toEqual([]);
  });

  test('arguments of the user take the place of ours, and feature gates are those of the user', async () => {
    const inputs = await controlPlaneInputs({ profile, featureGates: { B: false, A: true } });
    const extraArguments = { ...inputs.extraArguments, 'kube-scheduler': { v: ['4'] } };
    expect(flagsOf(filesOf({ ...inputs, extraArguments }))).toMatchObject({
      v: '4',
      'feature-gates': 'A=true,B=false',
    });
  });
});
