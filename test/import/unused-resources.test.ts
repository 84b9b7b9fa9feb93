import { expect, test } from 'vitest';

import { siteOf, clusterInstance, problemLine } from './files.js';

const kustomization = `apiVersion: kustomize.config.k8s.io/v1beta1
resources: [site.yaml, ../common, 'https://git.example.com/repo?ref=main']
generators: [policies.yaml]
configMapGenerator:
  - {name: extra-manifests, files: [a.yaml=manifests/a.yaml]}
  - {name: unused, files: [manifests/b.yaml]}
patches:
  - {path: patch.yaml}
images: []
`;

const policy = (kind: string): string => `apiVersion: v1\nkind: ${kind}\nmetadata: {name: x}\n`;

test.each([
  ['the site alone', {}, []],
  [
    'objects of a hub',
    {
      'policies.yaml': [
        'PolicyGenTemplate',
        'PolicyGenTemplate',
        'PolicyGenerator',
        'Policy',
        'Placement',
        'PlacementBinding',
        'AgentClusterInstall',
        'Namespace',
      ]
        .map(policy)
        .join('---\n'),
    },
    [
      'policies.yaml:2:7 import/left-out: PolicyGenTemplate is not imported (2 objects of this kind)',
      'policies.yaml:10:7 import/left-out: PolicyGenerator is not imported',
      'policies.yaml:14:7 import/left-out: Policy is not imported',
      'policies.yaml:18:7 import/left-out: Placement is not imported',
      'policies.yaml:22:7 import/left-out: PlacementBinding is not imported',
      'policies.yaml:26:7 import/left-out: AgentClusterInstall is not imported',
    ],
  ],
  [
    'objects that no site uses',
    { 'more.yaml': `${policy('ConfigMap')}---\n${policy('Secret')}---\n${policy('Subscription')}` },
    [
      'more.yaml:2:7 import/left-out: ConfigMap is not imported',
      'more.yaml:6:7 import/left-out: Secret is not imported',
      'more.yaml:10:7 import/left-out: Subscription is not imported',
    ],
  ],
  [
    'a kustomization without a kind',
    {
      'kustomization.yaml': kustomization,
      'manifests/a.yaml': policy('Tuned'),
      'manifests/b.yaml': policy('Tuned'),
    },
    [
      'kustomization.yaml:7:1 import/left-out: the field patches of this kustomization is not applied',
      'kustomization.yaml:2:24 import/left-out: this resource is outside of the directory and is not imported',
      'kustomization.yaml:2:35 import/left-out: this resource is outside of the directory and is not imported',
      'kustomization.yaml:6:5 import/left-out: no site uses this ConfigMap; it is not imported',
    ],
  ],
])('%s', (_name, files, want) => {
  const { problems } = siteOf('cluster-instance', { 'site.yaml': clusterInstance, ...files });
  expect(problems.filter(({ code }) => code === 'import/left-out').map(problemLine)).toEqual(want);
});

test('labels that select policies are reported', () => {
  const labelled = clusterInstance.replace(
    'metadata:\n',
    'metadata:\n  labels: {group-du-sno: ""}\n  annotations: {a: b}\n',
  );
  const { problems } = siteOf('cluster-instance', { 'site.yaml': labelled });
  expect(problems.filter(({ message }) => /^(?:labels|annotations)/.test(message)).map(problemLine)).toEqual([
    'site.yaml:4:3 import/no-place: labels has no equivalent and is ignored',
  ]);
});
