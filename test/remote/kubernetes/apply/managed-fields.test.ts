import { expect, it } from 'vitest';

import { withoutDroppedFields } from '../../../../src/remote/kubernetes/apply/managed-fields.js';
import { mergePatch } from '../../../../src/remote/kubernetes/apply/merge-patch.js';

const [tcp, udp] = ['TCP', 'UDP'].map((protocol) => ({ port: 53, protocol }));
const keyOf = (port: object | undefined): string => `k:${JSON.stringify(port)}`;
const fieldsOf = (ports: readonly (object | undefined)[], others: object): object => ({
  'f:spec': { 'f:ports': Object.fromEntries(ports.map((port) => [keyOf(port), { '.': {} }])), ...others },
});
const managed = (manager: string, operation: string, fieldsV1: object): object => ({
  metadata: { managedFields: [{ manager, operation, fieldsV1 }] },
});

it('removes the fields of the installation that the manifest does not have', () => {
  const live = managed(
    'cluster-bootstrap',
    'Update',
    fieldsOf([tcp, udp], { 'f:type': {}, 'f:selector': { 'f:app': {}, 'f:tier': {} } }),
  );
  // The manifest omits the protocol, whose default the API adds to the key.
  const own = managed('sno-install', 'Apply', fieldsOf([tcp], { 'f:selector': { 'f:app': {} } }));
  const spec = {
    ports: [tcp, udp],
    type: 'ClusterIP',
    selector: { app: 'a', tier: 'b' },
    clusterIP: '172.30.0.9',
  };
  expect(withoutDroppedFields({ ...own, spec }, live)).toEqual({
    ...own,
    spec: { ports: [tcp], selector: { app: 'a' }, clusterIP: '172.30.0.9' },
  });
});

it.each<[unknown, unknown, unknown]>([
  [{ a: 1 }, { a: 1 }, undefined],
  [{ a: 1, b: { c: 1, d: 2 } }, { b: { c: 1, d: 3 } }, { a: null, b: { d: 3 } }],
  [{ a: [1, 2] }, { a: [2], b: {} }, { a: [2], b: {} }],
])('changes %j into %j with the merge patch %j', (before, after, patch) => {
  expect(mergePatch(before, after)).toEqual(patch);
});
