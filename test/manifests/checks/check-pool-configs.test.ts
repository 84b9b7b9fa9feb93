import { expect, it } from 'vitest';

import { poolConfigProblems } from '../../../src/manifests/checks/check-pool-configs.js';
import { generated, manifestsOf } from './pool-manifests.js';

const pool = (name: string): string => `pools.operator.machineconfiguration.openshift.io/${name}: ""`;
const ofMaster = `{matchLabels: {${pool('master')}}}`;

function config(kind: string, name: string, selector: string): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: ${kind}
metadata: {name: ${name}}
spec: {machineConfigPoolSelector: ${selector}}
`;
}

function profile(name: string, spec: string): string {
  return `apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nmetadata: {name: ${name}}\nspec: ${spec}\n`;
}

const masterProfile = profile('low-latency', '{nodeSelector: {node-role.kubernetes.io/master: ""}}');

function found(...texts: readonly string[]): readonly string[] {
  return poolConfigProblems(texts.flatMap((text, index) => manifestsOf(text, `${index + 1}.yaml`))).map(
    ({ message, hint }) => `${message}; ${hint ?? ''}`,
  );
}

const stops = "the machine-config operator's bootstrap accepts one per pool and ends with an error";

it.each(['KubeletConfig', 'ContainerRuntimeConfig'])('two of kind %s', (kind) => {
  expect(found(config(kind, 'a', ofMaster), config(kind, 'b', ofMaster))).toEqual([
    `${kind} b is the second ${kind} of pool master, after ${kind} a in 1.yaml: ${stops}; merge the two into one`,
  ]);
});

it('a KubeletConfig with that of kubelet.gracefulShutdown', () => {
  const ours = manifestsOf(config('KubeletConfig', 'master-graceful-shutdown', ofMaster), 'ours.yaml').map(
    generated,
  );
  const users = manifestsOf(config('KubeletConfig', 'site', ofMaster), 'k.yaml');
  const want = [
    `KubeletConfig site is the second KubeletConfig of pool master, after KubeletConfig master-graceful-shutdown (from kubelet.gracefulShutdown in sno-config.yaml): ${stops}`,
  ];
  expect(poolConfigProblems([...users, ...ours]).map(({ message }) => message)).toEqual(want);
  expect(poolConfigProblems([...ours, ...users]).map(({ message }) => message)).toEqual(want);
  expect(poolConfigProblems([...ours, ...users])[0]?.hint).toBe(
    'remove kubelet.gracefulShutdown, and write shutdownGracePeriod and shutdownGracePeriodCriticalPods into KubeletConfig site',
  );
});

it('a KubeletConfig and a PerformanceProfile', () => {
  expect(found(config('KubeletConfig', 'a', ofMaster), masterProfile)).toEqual([
    `PerformanceProfile low-latency is the second KubeletConfig of pool master, after KubeletConfig a in 1.yaml: ${stops}; write the fields of the KubeletConfig into the annotation kubeletconfig.experimental of the PerformanceProfile, as JSON`,
  ]);
});

it('two PerformanceProfiles, by selector of pools and of nodes', () => {
  const other = profile('b', `{machineConfigPoolSelector: {${pool('master')}}, nodeSelector: {}}`);
  expect(found(masterProfile, other)).toEqual([
    `PerformanceProfile b is the second KubeletConfig of pool master, after PerformanceProfile low-latency in 1.yaml: ${stops}; keep one PerformanceProfile per pool`,
  ]);
});

it.each([
  [
    'matchExpressions with Exists',
    `{matchExpressions: [{key: ${pool('master').slice(0, -4)}, operator: Exists}]}`,
  ],
  ['a label of both pools', '{matchLabels: {machineconfiguration.openshift.io/mco-built-in: ""}}'],
  [
    'NotIn on a label that master does not have',
    '{matchExpressions: [{key: a, operator: NotIn, values: [b]}]}',
  ],
])('a selector with %s', (_, selector) => {
  expect(found(config('KubeletConfig', 'a', ofMaster), config('KubeletConfig', 'b', selector))).toHaveLength(
    1,
  );
});

it.each([
  ['of master and worker', config('KubeletConfig', 'b', `{matchLabels: {${pool('worker')}}}`)],
  ['without a selector', config('KubeletConfig', 'b', 'null')],
  ['with an empty selector', config('KubeletConfig', 'b', '{}')],
  ['of another kind', config('ContainerRuntimeConfig', 'b', ofMaster)],
  ['with a profile of the pool worker', profile('b', '{nodeSelector: {node-role.kubernetes.io/worker: ""}}')],
  [
    'with a profile of a version that the bootstrap does not read',
    masterProfile.replace('openshift.io/v2', 'openshift.io/v1'),
  ],
])('one for the pool and another %s', (_, other) => {
  expect(found(config('KubeletConfig', 'a', ofMaster), other)).toEqual([]);
});

it('two of a custom pool', () => {
  const custom = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfigPool
metadata: {name: edge, labels: {site: edge}}
spec: {nodeSelector: {matchLabels: {node-role.kubernetes.io/edge: ""}}}
`;
  const given = [
    custom,
    config('KubeletConfig', 'a', '{matchLabels: {site: edge}}'),
    profile('b', '{nodeSelector: {node-role.kubernetes.io/edge: ""}}'),
  ];
  expect(found(...given)).toHaveLength(1);
});
