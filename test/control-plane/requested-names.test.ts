import { expect, test } from 'vitest';

import { requestedNameProblems } from '../../src/control-plane/requested-names.js';
import { pathText } from '../../src/formats/yaml/yaml-tree.js';
import { programSources } from '../../src/release/flags/program-sources.js';
import { noArguments } from '../support/no-arguments.js';
import { showProblem } from '../support/show-problem.js';

type Arguments = Parameters<typeof requestedNameProblems>[0]['extraArguments'];

function found(
  profile: 'Kubernetes' | 'OpenShift',
  given: Partial<Arguments>,
  featureGates: Readonly<Record<string, boolean>> = {},
): readonly string[] {
  const versions = { kubernetesMinor: 34, etcd: '3.6' } as const;
  const requested = { extraArguments: { ...noArguments, ...given }, featureGates };
  return requestedNameProblems(requested, { versions, programs: programSources[profile] }, (path) => ({
    file: 'sno-config.yaml',
    path: pathText(path),
  })).map(showProblem);
}

const apiServer = 'sno-config.yaml (controlPlane.extraArguments.kube-apiserver';

test.each([
  {
    name: 'admission plugins',
    given: { 'enable-admission-plugins': ['NodeRestriction,Nonsense', 'PodSecurity'] },
    want: [
      `error[control-plane/unknown-admission-plugin] ${apiServer}.enable-admission-plugins): kube-apiserver 1.34 has no admission plugin "Nonsense"`,
    ],
  },
  {
    name: 'admission plugins that are turned off, with underscores',
    given: { disable_admission_plugins: ['Nonsense'] },
    want: [
      `error[control-plane/unknown-admission-plugin] ${apiServer}.disable_admission_plugins): kube-apiserver 1.34 has no admission plugin "Nonsense"`,
    ],
  },
  {
    name: 'authorization modes',
    given: { 'authorization-mode': ['Node,Rbac'] },
    want: [
      `error[control-plane/unknown-admission-plugin] ${apiServer}.authorization-mode): kube-apiserver 1.34 has no authorization mode "Rbac"`,
    ],
  },
])('rejects $name, which kube-apiserver of upstream does not have', ({ given, want }) => {
  expect(found('Kubernetes', { 'kube-apiserver': given })).toEqual(want);
});

test("accepts plugins of OpenShift's programs, which are not in the table", () => {
  expect(
    found('OpenShift', { 'kube-apiserver': { 'enable-admission-plugins': ['security.openshift.io/Own'] } }),
  ).toEqual([]);
});
