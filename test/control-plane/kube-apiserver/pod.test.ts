import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

import type { Container, Pod } from '../../../src/kube/pod-object.js';
import type { ControlPlaneInputs } from '../../../src/control-plane/loops/loop-inputs.js';
import { controlPlaneInputs } from '../../support/control-plane.js';
import { apiserverConfigIn, kubeApiserverPod } from '../../support/dialects.js';
import { describeWith } from '../../support/programs.js';
import { settledApiserver } from '../../support/settled-apiserver.js';

async function podOf(
  profile: ControlPlaneInputs['profile'],
  change: (usual: ControlPlaneInputs) => Partial<ControlPlaneInputs> = () => ({}),
): Promise<Pod> {
  const usual = await controlPlaneInputs({ profile });
  const inputs = { ...usual, ...change(usual) };
  return kubeApiserverPod(inputs, apiserverConfigIn(inputs, settledApiserver(inputs).store));
}

function mainOf({ spec }: Pod): Container {
  const [main] = spec.containers;
  if (main === undefined) throw new Error('there is no container');
  return main;
}

const identities = [
  {
    profile: 'OpenShift',
    metadata: {
      name: 'kube-apiserver',
      namespace: 'openshift-kube-apiserver',
      labels: { app: 'openshift-kube-apiserver', apiserver: 'true', revision: 'REVISION' },
      annotations: {
        'kubectl.kubernetes.io/default-container': 'kube-apiserver',
        'target.workload.openshift.io/management': '{"effect": "PreferredDuringScheduling"}',
      },
    },
    containers: ['kube-apiserver', 'kube-apiserver-insecure-readyz'],
    probesAt: undefined,
  },
  {
    profile: 'Kubernetes',
    metadata: {
      name: 'kube-apiserver',
      namespace: 'kube-system',
      labels: { component: 'kube-apiserver', tier: 'control-plane' },
    },
    containers: ['kube-apiserver'],
    probesAt: '127.0.0.1',
  },
] as const;

test.each(identities)('is known with the profile $profile', async ({ profile, ...want }) => {
  const pod = await podOf(profile);
  expect(pod.metadata).toEqual(want.metadata);
  expect(pod.spec.containers.map(({ name }) => name)).toEqual(want.containers);
  expect(pod.spec.terminationGracePeriodSeconds).toBe(15);
});

test.each(identities)('outlives etcd with the profile $profile', async ({ profile, probesAt }) => {
  const { startupProbe, readinessProbe, livenessProbe } = mainOf(await podOf(profile));
  expect([startupProbe, readinessProbe, livenessProbe].map((probe) => probe?.httpGet)).toEqual(
    ['livez', 'readyz', 'livez?exclude=etcd'].map((path) => ({
      scheme: 'HTTPS',
      ...(probesAt !== undefined && { host: probesAt }),
      path,
      port: 6443,
    })),
  );
});

test('upstream’s program gets its flags one by one, the address from the kubelet', async () => {
  const { command, args, env } = mainOf(await podOf('Kubernetes'));
  expect(command).toEqual(['kube-apiserver']);
  expect(args?.filter((flag) => /^--(advertise-address|v)=/.test(flag))).toEqual([
    '--advertise-address=$(HOST_IP)',
    '--v=2',
  ]);
  expect(args).toEqual(
    args?.toSorted((left, right) =>
      nameOf(left) < nameOf(right) ? -1 : nameOf(left) > nameOf(right) ? 1 : 0,
    ),
  );
  expect(env).toEqual([{ name: 'HOST_IP', valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } } }]);
});

function nameOf(flag: string): string {
  return flag.slice(0, flag.indexOf('='));
}

test('the user’s address and verbosity take the place of ours', async () => {
  const change = ({ extraArguments }: ControlPlaneInputs): Partial<ControlPlaneInputs> => ({
    extraArguments: { ...extraArguments, 'kube-apiserver': { 'advertise-address': ['192.0.2.1'], v: ['4'] } },
  });
  const upstream = mainOf(await podOf('Kubernetes', change)).args ?? [];
  expect(upstream.filter((flag) => /^--(advertise-address|v)=/.test(flag))).toEqual([
    '--advertise-address=192.0.2.1',
    '--v=4',
  ]);
  expect(scriptOf(await podOf('OpenShift', change))).not.toMatch(/--advertise-address|--v=/);
});

test('over IPv6 the kubelet probes the IPv6 loopback address', async () => {
  const pod = await podOf('Kubernetes', ({ networks }) => ({ networks: { ...networks, family: 'IPv6' } }));
  expect(mainOf(pod).livenessProbe?.httpGet?.host).toBe('::1');
});

function scriptOf(pod: Pod): string {
  return mainOf(pod).args?.join('\n') ?? '';
}

test('OpenShift’s program runs below the one that reports its end, with the configuration file', async () => {
  const script = scriptOf(await podOf('OpenShift'));
  expect(script.trimEnd().split('\n').at(-1)).toBe(
    'exec watch-termination --graceful-termination-duration=15s' +
      ' --kubeconfig=/etc/kubernetes/static-pod-certs/configmaps/control-plane-node-kubeconfig/kubeconfig' +
      ' --termination-log-file=/var/log/kube-apiserver/termination.log' +
      ' --termination-touch-file=/var/log/kube-apiserver/.terminating' +
      ' -- hyperkube kube-apiserver --advertise-address="${HOST_IP}"' +
      ' --openshift-config=/etc/kubernetes/static-pod-resources/configmaps/config/config.yaml' +
      ' --permit-address-sharing=true --v=2',
  );
});

describeWith(['shellcheck'], 'the script of OpenShift’s pod', () => {
  test('passes shellcheck', async () => {
    const input = `#!/bin/bash\nset -e\nHOST_IP=192.0.2.1\n${scriptOf(await podOf('OpenShift'))}`;
    const { status, stdout } = spawnSync('shellcheck', ['-S', 'style', '-'], { input, encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  });
});
