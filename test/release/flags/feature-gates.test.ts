import { describe, expect, test } from 'vitest';

import { featureGateProblems, knownFeatureGates } from '../../../src/release/flags/feature-gates.js';

const minors = [27, 28, 29, 30, 31, 32, 33, 34, 35, 36];

/** The first and last minor versions with this gate. */
function rangeOf(gate: string): readonly (number | undefined)[] {
  const knowing = minors.filter((minor) => knownFeatureGates(minor).has(gate));
  return [knowing[0], knowing.at(-1)];
}

// Source: the tables of current and removed feature gates on kubernetes.io
describe('a gate is known from its first version to the last before its removal', () => {
  test.each([
    { gate: 'PodSecurity', want: [27, 27] },
    { gate: 'SeccompDefault', want: [27, 28] },
    { gate: 'SecurityContextDeny', want: [27, 29] },
    { gate: 'KMSv2', want: [27, 31] },
    { gate: 'SidecarContainers', want: [28, 36] },
    { gate: 'StructuredAuthenticationConfiguration', want: [29, 36] },
    { gate: 'CoordinatedLeaderElection', want: [31, 36] },
    { gate: 'PreventStaticPodAPIReferences', want: [34, 36] },
    { gate: 'KubeletInUserNamespace', want: [27, 36] },
    { gate: 'WatchListClient', want: [30, 36] },
    { gate: 'AllAlpha', want: [27, 36] },
  ])('$gate', ({ gate, want }) => {
    expect(rangeOf(gate)).toEqual(want);
  });
});

test.each([
  {
    name: 'a gate of later versions',
    gate: 'PreventStaticPodAPIReferences',
    want: 'remove it: it exists only in 1.34 to 1.36',
  },
  { name: 'a mistyped gate', gate: 'SideCarContainer', want: 'did you mean "SidecarContainers"?' },
  { name: 'a gate of OpenShift', gate: 'OpenShiftPodSecurityAdmission', want: 'leave it out' },
])('$name is unknown, with a hint', ({ gate, want }) => {
  expect(featureGateProblems(33, ['SidecarContainers', gate])).toEqual([
    {
      code: 'control-plane/unknown-feature-gate',
      severity: 'error',
      message: `Kubernetes 1.33 has no feature gate "${gate}"`,
      hint: want,
    },
  ]);
});

test('rejects a gate that a program does not have, only for this program', () => {
  const gate = 'ControllerManagerReleaseLeaderElectionLockOnExit';
  expect([
    featureGateProblems(36, [gate], 'kube-scheduler'),
    featureGateProblems(36, [gate], 'kube-controller-manager'),
    knownFeatureGates(36, 'kube-scheduler').has(gate),
    knownFeatureGates(36, 'kubelet').has(gate),
  ]).toEqual([
    [
      {
        code: 'control-plane/unknown-feature-gate',
        severity: 'error',
        message: `kube-scheduler 1.36 has no feature gate "${gate}"`,
        hint: 'remove it: only other programs of this version have it',
      },
    ],
    [],
    false,
    true,
  ]);
});
