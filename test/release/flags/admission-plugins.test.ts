import { expect, test } from 'vitest';

import {
  admissionPluginProblems,
  authorizationModeProblems,
  knownAdmissionPlugins,
  knownAuthorizationModes,
} from '../../../src/release/flags/admission-plugins.js';

const unknown = { code: 'control-plane/unknown-admission-plugin', severity: 'error' };

test.each([
  { plugin: 'NodeRestriction', minor: 27, want: true },
  { plugin: 'NodeRestriction', minor: 36, want: true },
  // Removed in 1.25, with the policies that it enforced.
  { plugin: 'PodSecurityPolicy', minor: 27, want: false },
  { plugin: 'SecurityContextDeny', minor: 29, want: true },
  { plugin: 'SecurityContextDeny', minor: 30, want: false },
  { plugin: 'PersistentVolumeLabel', minor: 30, want: true },
  { plugin: 'PersistentVolumeLabel', minor: 31, want: false },
  { plugin: 'MutatingAdmissionPolicy', minor: 31, want: false },
  { plugin: 'MutatingAdmissionPolicy', minor: 32, want: true },
])('kube-apiserver 1.$minor supports plugin $plugin: $want', ({ plugin, minor, want }) => {
  expect(knownAdmissionPlugins(minor).has(plugin)).toBe(want);
});

test('a plugin of OpenShift is unknown upstream', () => {
  expect(
    admissionPluginProblems(36, ['Priority', 'network.openshift.io/ExternalIPRanger', 'LimitRange']),
  ).toEqual([
    {
      ...unknown,
      message: 'kube-apiserver 1.36 has no admission plugin "network.openshift.io/ExternalIPRanger"',
      hint: 'leave it out',
    },
    {
      ...unknown,
      message: 'kube-apiserver 1.36 has no admission plugin "LimitRange"',
      hint: 'did you mean "LimitRanger"?',
    },
  ]);
});

test('authorization modes are the six of upstream', () => {
  expect([...knownAuthorizationModes(30)]).toEqual([
    'ABAC',
    'AlwaysAllow',
    'AlwaysDeny',
    'Node',
    'RBAC',
    'Webhook',
  ]);
  const [scope, ...others] = authorizationModeProblems(30, ['Scope', 'RBAC', 'Node']);
  expect(scope?.message).toBe('kube-apiserver 1.30 has no authorization mode "Scope"');
  expect(others).toEqual([]);
});
