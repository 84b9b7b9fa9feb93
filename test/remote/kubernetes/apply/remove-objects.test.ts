import { expect, it } from 'vitest';

import { removeObject, type ObjectToRemove } from '../../../../src/remote/kubernetes/apply/remove-objects.js';
import type { ApiAnswer, ApiRequest } from '../../../../src/remote/kubernetes/reader.js';

const group = 'operators.coreos.com';
const object: ObjectToRemove = {
  identity: { group, kind: 'Subscription', namespace: 'ptp', name: 'ptp' },
};
const path = `/apis/${group}/v1alpha1/namespaces/ptp/subscriptions/ptp`;
const live = {
  metadata: {
    uid: 'a1',
    managedFields: [{ manager: 'sno-install', operation: 'Apply', fieldsV1: { 'f:spec': {} } }],
  },
};

function json(status: number, body: unknown): ApiAnswer {
  return { kind: 'answer', status, body };
}

/** OLM's group: the preferred version has no Subscription. */
const served: Readonly<Record<string, ApiAnswer>> = {
  [`/apis/${group}`]: json(200, {
    versions: [{ groupVersion: `${group}/v2` }, { groupVersion: `${group}/v1alpha1` }],
    preferredVersion: { groupVersion: `${group}/v2` },
  }),
  [`/apis/${group}/v2`]: json(200, {
    resources: [{ name: 'operatorconditions', kind: 'OperatorCondition' }],
  }),
  [`/apis/${group}/v1alpha1`]: json(200, {
    resources: [{ name: 'subscriptions', kind: 'Subscription', namespaced: true }],
  }),
  [path]: json(200, live),
};

function clusterOf(changed: Readonly<Record<string, ApiAnswer>> = {}): {
  readonly client: { readonly send: (request: ApiRequest) => Promise<ApiAnswer> };
  readonly deleted: readonly string[];
} {
  const deleted: string[] = [];
  const send = (request: ApiRequest): Promise<ApiAnswer> => {
    if (request.remove !== undefined) deleted.push(request.path);
    return Promise.resolve({ ...served, ...changed }[request.path] ?? json(404, {}));
  };
  return { client: { send }, deleted };
}

const none = new Set<string>();

it('finds the version of the group that has the kind', async () => {
  const { client, deleted } = clusterOf();
  expect(await removeObject(client, object, { isDryRun: false, isPruning: false, applied: none })).toEqual({
    object,
    state: 'leftover',
  });
  expect(await removeObject(client, object, { isDryRun: false, isPruning: true, applied: none })).toEqual({
    object,
    state: 'deleted',
  });
  expect(deleted).toEqual([path]);
});

it('does not delete an object of this run that has another name in the inventory', async () => {
  const { client, deleted } = clusterOf();
  const applied = new Set(['a1']);
  const kept = { object, state: 'kept', text: 'a manifest contains it with another namespace or group' };
  expect(await removeObject(client, object, { isDryRun: false, isPruning: false, applied })).toEqual(kept);
  expect(await removeObject(client, object, { isDryRun: false, isPruning: true, applied })).toEqual(kept);
  const entry = { ...object, apiVersion: `${group}/v1alpha1`, at: { file: 'post-install/remove.yaml' } };
  expect(await removeObject(client, entry, { isDryRun: false, isPruning: true, applied })).toEqual({
    object: entry,
    state: 'failed',
    text: 'a manifest creates it',
  });
  expect(deleted).toEqual([]);
});

it.each<[string, Readonly<Record<string, ApiAnswer>>, string]>([
  ['the group is not served', { [`/apis/${group}`]: json(404, {}) }, 'absent'],
  ['no version has the kind any more', { [`/apis/${group}/v1alpha1`]: json(404, {}) }, 'absent'],
  ['the object is gone', { [path]: json(404, {}) }, 'absent'],
  ['the group cannot be read', { [`/apis/${group}`]: json(500, {}) }, 'failed: HTTP 500'],
  ['a version cannot be read', { [`/apis/${group}/v2`]: json(503, {}) }, 'failed: HTTP 503'],
  ['the object cannot be read', { [path]: json(403, {}) }, 'failed: HTTP 403'],
])('an object of an earlier run if %s', async (_name, changed, expected) => {
  const { client, deleted } = clusterOf(changed);
  const state = await removeObject(client, object, { isDryRun: false, isPruning: true, applied: none });
  expect('fault' in state ? 'fault' : [state.state, state.text].filter(Boolean).join(': ')).toBe(expected);
  expect(deleted).toEqual([]);
});
