import { describe, expect, it } from 'vitest';

import { namespaceProblems } from '../../../src/manifests/checks/check-namespaces.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function configMap(namespace: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: ${namespace}\n`;
}

describe('namespaceProblems', () => {
  it.each([
    { name: 'of Kubernetes', given: configMap('kube-system'), want: [] },
    { name: 'of the release', given: configMap('openshift-config'), want: [] },
    { name: 'none', given: 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n', want: [] },
    {
      name: 'of another manifest, even a later one',
      given: `${configMap('mine')}---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: mine\n`,
      want: [],
    },
    {
      name: 'of nobody',
      given: configMap('mine'),
      want: [
        'error[manifest/namespace-missing] f.yaml:5:14 (metadata.namespace): ConfigMap mine/a cannot be created: no manifest creates the namespace mine',
      ],
    },
    {
      name: 'that some release may bring',
      given: configMap('openshift-new'),
      want: [
        'warning[manifest/namespace-unlisted] f.yaml:5:14 (metadata.namespace): ConfigMap openshift-new/a can be created only if the release itself brings the namespace openshift-new',
      ],
    },
  ])('a namespace $name', ({ given, want }) => {
    expect(namespaceProblems(objectsOf(given)).map(showProblem)).toEqual(want);
  });
});
