import { describe, expect, it } from 'vitest';

import { describeIdentity, groupOf, identityKey, identityOf } from '../../src/kube/identity.js';

describe('identityOf', () => {
  it.each([
    {
      name: 'namespaced object of the core group',
      given: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'root-ca', namespace: 'kube-system' } },
      want: { group: '', kind: 'ConfigMap', namespace: 'kube-system', name: 'root-ca' },
      text: 'ConfigMap kube-system/root-ca',
    },
    {
      name: 'object of the whole cluster',
      given: { apiVersion: 'config.openshift.io/v1', kind: 'DNS', metadata: { name: 'cluster' } },
      want: { group: 'config.openshift.io', kind: 'DNS', namespace: '', name: 'cluster' },
      text: 'DNS cluster',
    },
  ])('$name', ({ given, want, text }) => {
    expect(identityOf(given)).toEqual(want);
    expect(describeIdentity(identityOf(given))).toBe(text);
  });

  it('is one over the versions of a group', () => {
    const [v1, v1beta1] = ['v1', 'v1beta1'].map((version) =>
      identityKey(identityOf({ apiVersion: `apps/${version}`, kind: 'Deployment', metadata: { name: 'a' } })),
    );
    expect(v1).toBe(v1beta1);
  });
});

describe('groupOf', () => {
  it.each([
    { given: 'v1', want: '' },
    { given: 'apps/v1', want: 'apps' },
    { given: 'config.openshift.io/v1', want: 'config.openshift.io' },
  ])('$given', ({ given, want }) => {
    expect(groupOf(given)).toBe(want);
  });
});
