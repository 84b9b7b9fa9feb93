import { expect, it } from 'vitest';

import { postInstallObjects } from '../../../src/manifests/post-install/post-install-objects.js';
import { awaitedSubscriptions } from '../../../src/manifests/post-install/subscriptions.js';

const subscription = (name: string, packageName = name): string =>
  `{apiVersion: operators.coreos.com/v1alpha1, kind: Subscription, metadata: {name: ${name}, namespace: ns}, spec: {name: ${packageName}}}`;
const definition =
  '{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: things.acme.example.com}, spec: {group: acme.example.com, names: {kind: Thing}}}';

function awaited(
  apiVersion: string,
  kind: string,
  {
    manifests,
    others = {},
  }: { readonly manifests: readonly string[]; readonly others?: Readonly<Record<string, string>> },
): readonly string[] {
  const read = (files: Readonly<Record<string, string>>) =>
    postInstallObjects(Object.entries(files).map(([file, text]) => ({ file, bytes: Buffer.from(text) })))
      .objects;
  const object = `{apiVersion: ${apiVersion}, kind: ${kind}, metadata: {name: a}}`;
  const objects = read({ 'post-install/20-a.yaml': object, ...others });
  const [each] = objects.filter(({ path }) => path === 'post-install/20-a.yaml');
  if (each === undefined) throw new Error('no object');
  return awaitedSubscriptions({
    objects,
    manifests: read({ 'post-install/m.yaml': manifests.join('\n---\n') }),
  })(each);
}

const ptp = subscription('a', 'ptp-operator');
const acme = subscription('b', 'acme-operator');

it.each([
  {
    name: 'a listed group',
    api: 'ptp.openshift.io/v1',
    kind: 'PtpConfig',
    manifests: [acme, ptp],
    want: ['ns/a'],
  },
  {
    name: 'a group below a listed one',
    api: 'frrk8s.metallb.io/v1beta1',
    kind: 'FRRConfiguration',
    manifests: [subscription('m', 'metallb-operator'), acme],
    want: ['ns/m'],
  },
  {
    name: 'two packages of a group',
    api: 'observability.openshift.io/v1',
    kind: 'ClusterLogForwarder',
    manifests: [subscription('z', 'cluster-logging'), subscription('c', 'cluster-observability-operator')],
    want: ['ns/c', 'ns/z'],
  },
  {
    name: 'another group',
    api: 'acme.example.com/v1',
    kind: 'Thing',
    manifests: [ptp, acme],
    want: ['ns/b'],
  },
  {
    name: 'another group with its own definition',
    api: 'acme.example.com/v1',
    kind: 'Thing',
    manifests: [acme, definition],
    want: [],
  },
  {
    name: 'no Subscription',
    api: 'ptp.openshift.io/v1',
    kind: 'PtpConfig',
    manifests: [definition],
    want: [],
  },
  { name: 'a kind of the core group', api: 'v1', kind: 'ConfigMap', manifests: [acme], want: [] },
  { name: 'a kind of Kubernetes', api: 'apps/v1', kind: 'Deployment', manifests: [acme], want: [] },
  {
    name: 'a kind of the release',
    api: 'config.openshift.io/v1',
    kind: 'OAuth',
    manifests: [acme],
    want: [],
  },
  {
    name: 'a kind that comes with the release later',
    api: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshotClass',
    manifests: [acme],
    want: [],
  },
  { name: 'an aggregated kind', api: 'route.openshift.io/v1', kind: 'Route', manifests: [acme], want: [] },
  {
    name: 'an operator in a group of the release',
    api: 'operator.openshift.io/v1alpha1',
    kind: 'CertManager',
    manifests: [acme],
    want: ['ns/b'],
  },
  {
    name: 'a kind of the release in that group',
    api: 'operator.openshift.io/v1',
    kind: 'IngressController',
    manifests: [acme],
    want: [],
  },
])('$name', ({ api, kind, manifests, want }) => {
  expect(awaited(api, kind, { manifests })).toEqual(want);
});

it('not those of a later wave', () => {
  const others = {
    'post-install/10-s.yaml': subscription('early', 'ptp-operator'),
    'post-install/30-s.yaml': ptp,
  };
  expect(awaited('ptp.openshift.io/v1', 'PtpConfig', { manifests: [acme], others })).toEqual(['ns/early']);
});
