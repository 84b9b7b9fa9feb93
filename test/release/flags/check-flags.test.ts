import { describe, expect, test } from 'vitest';

import { flagProblems } from '../../../src/release/flags/check-flags.js';
import { programSources } from '../../../src/release/flags/program-sources.js';
import type { FlaggedProgram } from '../../../src/release/flags/flag-table.js';

/** Whether a version of a program has the flag. */
function has(program: FlaggedProgram, version: number | `${number}.${number}`, flag: string): boolean {
  const kubernetesMinor = typeof version === 'number' ? version : 36;
  const etcd = typeof version === 'number' ? '3.6' : version;
  return flagProblems(program, { kubernetesMinor, etcd }, [flag], programSources.Kubernetes).length === 0;
}

// Source: the release notes of Kubernetes, and the table of removed flags in the facts on the control plane
describe('a flag ends with the version that removed it', () => {
  test.each([
    { program: 'kube-apiserver', flag: 'cloud-provider', last: 32 },
    { program: 'kube-apiserver', flag: 'cloud-config', last: 32 },
    { program: 'kube-controller-manager', flag: 'volume-host-cidr-denylist', last: 30 },
    { program: 'kube-controller-manager', flag: 'volume-host-allow-local-loopback', last: 30 },
    { program: 'kube-scheduler', flag: 'lock-object-name', last: 27 },
    { program: 'kubelet', flag: 'pod-infra-container-image', last: 34 },
    { program: 'kubelet', flag: 'keep-terminated-pod-volumes', last: 30 },
    { program: 'kubelet', flag: 'cloud-config', last: 33 },
  ] as const)('$program: $flag', ({ program, flag, last }) => {
    expect([has(program, last, flag), has(program, last + 1, flag)]).toEqual([true, false]);
  });
});

describe('accepts a flag from the version that added it', () => {
  test.each([
    { program: 'kube-apiserver', flag: 'authentication-config', first: 29 },
    { program: 'kube-apiserver', flag: 'requestheader-uid-headers', first: 32 },
    { program: 'kube-scheduler', flag: 'emulated-version', first: 31 },
    { program: 'kubelet', flag: 'config-dir', first: 28 },
  ] as const)('$program: $flag', ({ program, flag, first }) => {
    expect([has(program, first - 1, flag), has(program, first, flag)]).toEqual([false, true]);
  });
});

describe('rejects flags that were removed before the first table', () => {
  test.each([
    ['kube-apiserver', 'insecure-port'],
    ['kube-apiserver', 'kubelet-https'],
    ['kube-apiserver', 'basic-auth-file'],
    ['kube-controller-manager', 'pod-eviction-timeout'],
    ['kube-controller-manager', 'enable-taint-manager'],
    ['kube-controller-manager', 'register-retry-count'],
    ['kube-scheduler', 'policy-config-file'],
    ['kube-scheduler', 'algorithm-provider'],
    ['kubelet', 'container-runtime'],
    ['kubelet', 'network-plugin'],
    ['kubelet', 'cni-bin-dir'],
  ] as const)('%s: %s', (program, flag) => {
    expect([27, 30, 33, 36].filter((minor) => has(program, minor, flag))).toEqual([]);
  });
});

describe('etcd', () => {
  // The 3.4 flags are those that Debian's 3.4.23 accepted and rejected.
  test.each([
    { flag: 'experimental-initial-corrupt-check', want: ['3.4', '3.5', '3.6'] },
    { flag: 'listen-client-http-urls', want: ['3.5', '3.6', '3.7'] },
    { flag: 'feature-gates', want: ['3.6', '3.7'] },
    { flag: 'max-learners', want: ['3.6', '3.7'] },
    { flag: 'watch-progress-notify-interval', want: ['3.6', '3.7'] },
    { flag: 'enable-v2', want: ['3.4', '3.5'] },
    { flag: 'proxy', want: ['3.4', '3.5'] },
    { flag: 'logger', want: ['3.4', '3.5', '3.6', '3.7'] },
  ])('supports $flag in $want', ({ flag, want }) => {
    const versions = ['3.4', '3.5', '3.6', '3.7'] as const;
    expect(versions.filter((version) => has('etcd', version, flag))).toEqual(want);
  });

  test('rejects underscores instead of dashes', () => {
    expect([has('etcd', '3.6', 'data_dir'), has('kubelet', 36, 'node_ip')]).toEqual([false, true]);
  });
});

describe('a problem', () => {
  const problems = (
    program: FlaggedProgram,
    flags: readonly string[],
    source: keyof typeof programSources = 'Kubernetes',
  ) => flagProblems(program, { kubernetesMinor: 33, etcd: '3.6' }, flags, programSources[source]);
  const unknown = { code: 'control-plane/unknown-flag', severity: 'error' };

  test.each([
    {
      name: 'of a removed flag names the versions',
      given: problems('kube-apiserver', ['cloud-provider']),
      want: {
        message: 'kube-apiserver 1.33 has no flag "cloud-provider"',
        hint: 'remove it: it exists only in 1.27 to 1.32',
      },
    },
    {
      name: 'of a mistyped flag names the one that was meant',
      given: problems('kube-apiserver', ['etcd-server']),
      want: {
        message: 'kube-apiserver 1.33 has no flag "etcd-server"',
        hint: 'did you mean "etcd-servers"?',
      },
    },
    {
      name: 'of a flag like none says to leave it out',
      given: problems('kubelet', ['be-quick-about-it']),
      want: { message: 'kubelet 1.33 has no flag "be-quick-about-it"', hint: 'leave it out' },
    },
    {
      name: 'of etcd speaks of its own versions',
      given: problems('etcd', ['enable-v2']),
      want: {
        message: 'etcd 3.6 has no flag "enable-v2"',
        hint: 'remove it: it exists only in 3.4 to 3.5',
      },
    },
  ])('$name', ({ given, want }) => {
    expect(given).toEqual([{ ...unknown, ...want }]);
  });

  test('is made for each unknown flag, in the order given', () => {
    const messages = problems('kubelet', ['zz-one', 'node-ip', 'aa-two']).map(({ message }) => message);
    expect(messages).toEqual(['kubelet 1.33 has no flag "zz-one"', 'kubelet 1.33 has no flag "aa-two"']);
  });
});

describe('the fork of OpenShift', () => {
  test.each([
    ['kube-apiserver', 'openshift-config'],
    ['kube-apiserver', 'send-retry-after-while-not-ready-once'],
    ['kube-controller-manager', 'openshift-config'],
  ] as const)('alone has %s --%s', (program, flag) => {
    const counts = (['OpenShift', 'Kubernetes'] as const).map(
      (profile) =>
        flagProblems(program, { kubernetesMinor: 30, etcd: '3.5' }, [flag], programSources[profile]).length,
    );
    expect(counts).toEqual([0, 1]);
  });
});

test('a version outside the tables counts as the nearest one', () => {
  expect([has('kubelet', 20, 'cloud-config'), has('kubelet', 99, 'cloud-config')]).toEqual([true, false]);
});
