import { describe, expect, it } from 'vitest';

import { scopesIn } from '../../../src/manifests/checks/check-kinds.js';
import { metadataProblems } from '../../../src/manifests/checks/check-metadata.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

const release421 = { major: 4, minor: 21, text: '4.21' };

function found(text: string): readonly string[] {
  const objects = objectsOf(text);
  return metadataProblems(objects, scopesIn(objects, release421)).map(showProblem);
}

function object(apiVersion: string, kind: string, metadata: string): string {
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {${metadata}}\n`;
}

describe('names', () => {
  it.each([
    ['v1', 'ConfigMap', 'name: a.b-c.0, namespace: a'],
    ['v1', 'ConfigMap', 'name: 1-0, namespace: a'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'name: "system:openshift:My_Role"'],
    ['rbac.authorization.k8s.io/v1', 'Role', 'name: "a:b", namespace: a'],
    ['storage.k8s.io/v1', 'CSIDriver', 'name: Example.com'],
    ['machineconfiguration.openshift.io/v1', 'MachineConfig', 'name: 99-master.x'],
  ])('%s %s %s', (apiVersion, kind, metadata) => {
    expect(found(object(apiVersion, kind, metadata))).toEqual([]);
  });

  it.each([
    ['v1', 'ConfigMap', 'name: My_Map, namespace: a', '"My_Map" is not a name for a ConfigMap'],
    ['v1', 'ConfigMap', 'name: a..b, namespace: a', '"a..b" is not a name for a ConfigMap'],
    ['v1', 'ConfigMap', 'name: -a, namespace: a', '"-a" is not a name for a ConfigMap'],
    ['v1', 'Namespace', 'name: a.b', '"a.b" is not a name for a Namespace'],
    ['v1', 'Service', 'name: 0a, namespace: a', '"0a" is not a name for a Service'],
    ['rbac.authorization.k8s.io/v1', 'ClusterRole', 'name: a/b', '"a/b" is not a name for a ClusterRole'],
    [
      'machineconfiguration.openshift.io/v1',
      'MachineConfig',
      'name: 99_x',
      '"99_x" is not a name for a MachineConfig',
    ],
    [
      'batch/v1',
      'CronJob',
      `name: ${'a'.repeat(53)}, namespace: a`,
      `"${'a'.repeat(53)}" is not a name for a CronJob`,
    ],
    ['v1', 'ConfigMap', 'name: a, namespace: A.b', '"A.b" is not a name for a namespace'],
  ])('%s %s %s', (apiVersion, kind, metadata, want) => {
    const [first, ...others] = found(object(apiVersion, kind, metadata));
    expect(others).toEqual([]);
    expect(first).toContain(`error[manifest/metadata] f.yaml:3:`);
    expect(first).toContain(want);
  });

  it('suggests the valid name', () => {
    const [first] = metadataProblems(
      objectsOf(object('v1', 'ConfigMap', 'name: My_Map, namespace: a')),
      () => undefined,
    );
    expect(first?.hint).toBe('write "my-map"');
  });
});

describe('labels and annotations', () => {
  it.each([
    'labels: {a: "", app.kubernetes.io/name: A_b.c-1}',
    'annotations: {Example.com/A: "any $text at all"}',
    'labels: {node-role.kubernetes.io/master: ""}',
  ])('%s', (metadata) => {
    expect(found(object('v1', 'Namespace', `name: a, ${metadata}`))).toEqual([]);
  });

  it.each([
    ['labels: {a: "a b"}', 'metadata.labels.a', '"a b" is not a value for a label'],
    [`labels: {a: ${'a'.repeat(64)}}`, 'metadata.labels.a', 'is not a value for a label'],
    ['labels: {a: b/c}', 'metadata.labels.a', '"b/c" is not a value for a label'],
    ['labels: {a/b/c: d}', 'metadata.labels["a/b/c"]', '"a/b/c" is not a key for a label'],
    ['labels: {A.com/b: d}', 'metadata.labels["A.com/b"]', '"A.com/b" is not a key for a label'],
    ['annotations: {-a: b}', 'metadata.annotations.-a', '"-a" is not a key for an annotation'],
    [`annotations: {a: ${'a'.repeat(262_144)}}`, 'metadata.annotations', 'the annotations have 262145 bytes'],
  ])('%.40s', (metadata, path, want) => {
    const [first, ...others] = found(object('v1', 'Namespace', `name: a, ${metadata}`));
    expect(others).toEqual([]);
    expect(first).toContain(`(${path})`);
    expect(first).toContain(want);
  });

  it('of the pods that a Deployment makes', () => {
    const given = `${object('apps/v1', 'Deployment', 'name: a, namespace: a')}spec: {template: {metadata: {labels: {a: "$x"}}}}\n`;
    expect(found(given)).toEqual([
      'error[manifest/metadata] f.yaml:4:42 (spec.template.metadata.labels.a): "$x" is not a value for a label, expected at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
    ]);
  });
});

describe('the scope', () => {
  const missing = (kind: string) =>
    `error[manifest/missing-field] f.yaml:3:1 (metadata.namespace): metadata.namespace is missing: ${kind} a lives in a namespace`;

  it.each([
    ['v1', 'Secret'],
    ['apps/v1', 'Deployment'],
    ['operator.openshift.io/v1', 'IngressController'],
    ['operators.coreos.com/v1alpha1', 'Subscription'],
    ['tuned.openshift.io/v1', 'Tuned'],
  ])('%s %s needs a namespace', (apiVersion, kind) => {
    expect(found(object(apiVersion, kind, 'name: a'))).toEqual([missing(kind)]);
  });

  it('a namespace of a kind of the whole cluster is ignored', () => {
    expect(found(object('rbac.authorization.k8s.io/v1', 'ClusterRole', 'name: a, namespace: b'))).toEqual([
      'warning[manifest/ignored-field] f.yaml:3:32 (metadata.namespace): ClusterRole a belongs to the whole cluster, so its namespace is ignored',
    ]);
  });

  it('ClusterVersion has the namespace that openshift-install writes', () => {
    expect(
      found(
        object(
          'config.openshift.io/v1',
          'ClusterVersion',
          'name: version, namespace: openshift-cluster-version',
        ),
      ),
    ).toEqual([]);
  });

  it.each([
    ['Namespaced', [missing('Widget')]],
    ['Cluster', []],
  ])('of a kind that the user defines as %s', (scope, want) => {
    const definition = `${object('apiextensions.k8s.io/v1', 'CustomResourceDefinition', 'name: widgets.example.com')}spec: {group: example.com, scope: ${scope}, names: {kind: Widget}}\n`;
    expect(found(`${object('example.com/v1', 'Widget', 'name: a')}---\n${definition}`)).toEqual(want);
  });

  it('of an unknown kind is not checked', () => {
    expect(found(object('example.com/v1', 'Widget', 'name: a'))).toEqual([]);
  });
});

describe('fields that the server sets', () => {
  it('of an exported object', () => {
    const metadata = 'name: a, creationTimestamp: "2026-01-01T00:00:00Z", resourceVersion: "1", uid: b';
    expect(found(object('v1', 'Namespace', metadata))).toEqual([
      'error[manifest/server-field] f.yaml:3:64 (metadata.resourceVersion): metadata.resourceVersion prevents the creation of the object',
      'warning[manifest/ignored-field] f.yaml:3:21 (metadata.creationTimestamp): the API server sets metadata.creationTimestamp, metadata.uid itself',
    ]);
  });

  it('with an owner of another cluster', () => {
    const metadata = 'name: a, ownerReferences: [{apiVersion: v1, kind: Node, name: b, uid: c}]';
    expect(found(object('v1', 'Namespace', metadata))).toEqual([
      'warning[manifest/ignored-field] f.yaml:3:21 (metadata.ownerReferences): metadata.ownerReferences names an owner by its uid, which differs between clusters: the garbage collector deletes the object',
    ]);
  });

  it('null and empty ones, as generators write them', () => {
    expect(found(object('v1', 'Namespace', 'name: a, creationTimestamp: null, resourceVersion: ""'))).toEqual(
      [],
    );
  });
});
