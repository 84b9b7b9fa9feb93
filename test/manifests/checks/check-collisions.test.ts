import { describe, expect, it } from 'vitest';

import type { Manifest } from '../../../src/kube/manifest.js';
import { collisionProblems } from '../../../src/manifests/checks/check-collisions.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function users(path: string, name: string, file = path): Manifest {
  const [read] = objectsOf(
    `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: default\n`,
  );
  if (read === undefined) throw new Error('no object');
  const source = { ...read.source, file };
  return { path, object: read.object, text: read.text, source, isSecret: false, origin: 'added' };
}

function ours(path: string, name: string): Manifest {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
  return { path, object, text: '', isSecret: false, origin: 'generated' };
}

describe('meetingProblems', () => {
  it.each([
    { name: 'nothing', given: [ours('manifests/a.yaml', 'a'), users('manifests/b.yaml', 'b')], want: [] },
    {
      name: 'one file name in both folders',
      given: [users('manifests/a.yaml', 'a'), users('openshift/a.yaml', 'b')],
      want: [
        'error[manifest/name-collision] openshift/a.yaml: openshift/a.yaml and manifests/a.yaml both become a.yaml on the node, where one would replace the other',
      ],
    },
    {
      name: 'an extra manifest of the name of a generated one',
      given: [users('manifests/a.yaml', 'b', 'extra/a.yaml'), ours('openshift/a.yaml', 'a')],
      want: [
        'error[manifest/name-collision] extra/a.yaml: extra/a.yaml and openshift/a.yaml both become a.yaml on the node, where one would replace the other',
      ],
    },
    {
      name: 'one object in two files',
      given: [users('manifests/b.yaml', 'a'), users('openshift/c.yaml', 'a')],
      want: [
        'error[manifest/duplicate] openshift/c.yaml:4:9 (metadata.name): ConfigMap default/a is in openshift/c.yaml and in manifests/b.yaml',
      ],
    },
    {
      name: 'an object we generate',
      given: [users('manifests/a.yaml', 'x'), ours('openshift/z.yaml', 'x')],
      want: [
        'error[manifest/duplicate] manifests/a.yaml:4:9 (metadata.name): ConfigMap default/x is in manifests/a.yaml and in openshift/z.yaml',
      ],
    },
    {
      name: 'one object three times',
      given: [users('manifests/a.yaml', 'x'), users('manifests/b.yaml', 'x'), users('manifests/c.yaml', 'x')],
      want: [
        'error[manifest/duplicate] manifests/b.yaml:4:9 (metadata.name): ConfigMap default/x is in manifests/b.yaml and in manifests/a.yaml',
        'error[manifest/duplicate] manifests/c.yaml:4:9 (metadata.name): ConfigMap default/x is in manifests/c.yaml and in manifests/a.yaml',
      ],
    },
    ...[
      '0000_90_mine.yaml',
      'cluster-ingress-00-namespace.yaml',
      '00_openshift-etcd-ns.yaml',
      'master.machineconfigpool.yaml',
    ].map((name) => ({
      name: `the name ${name}, which the node writes`,
      given: [users(`openshift/${name}`, 'a')],
      want: [
        `error[manifest/reserved-name] openshift/${name}: openshift/${name} would be lost: the node itself writes a manifest called ${name}`,
      ],
    })),
    {
      name: 'the name for an ingress controller of one’s own',
      given: [users('manifests/cluster-ingress-default-ingresscontroller.yaml', 'a')],
      want: [],
    },
  ])('$name', ({ given, want }) => {
    expect(collisionProblems(given).map(showProblem)).toEqual(want);
  });
});
