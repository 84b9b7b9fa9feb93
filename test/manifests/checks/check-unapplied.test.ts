import { expect, it } from 'vitest';

import { unappliedProblems } from '../../../src/manifests/checks/check-unapplied.js';
import { objectsOf } from '../../assets/manifests/given.js';

function codes(apiVersion: string, kind: string, fields: string): readonly string[] {
  const text = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: b}\n${fields}\n`;
  return unappliedProblems(objectsOf(text)).map(({ code, at }) => `${code} ${at?.line ?? 0}`);
}

it.each([
  [
    'operators.coreos.com/v1alpha1',
    'Subscription',
    'spec: {installPlanApproval: Manual}',
    ['manifest/approval-missing 4'],
  ],
  ['operators.coreos.com/v1alpha1', 'Subscription', 'spec: {installPlanApproval: Automatic}', []],
  ['operators.coreos.com/v1alpha1', 'Subscription', 'spec: {}', []],
  ['messaging.knative.dev/v1', 'Subscription', 'spec: {installPlanApproval: Manual}', []],
  ['example.com/v1', 'Thing', 'status: {a: 1}', ['manifest/status-only 4']],
  ['example.com/v1', 'Thing', 'spec: {}\nstatus: {a: 1}', []],
  ['v1', 'ConfigMap', 'data: {status: "1"}', []],
  ['v1', 'Namespace', 'status: {phase: Active}', []],
] as const)('%s %s with %s', (apiVersion, kind, fields, want) => {
  expect(codes(apiVersion, kind, fields)).toEqual(want);
});
