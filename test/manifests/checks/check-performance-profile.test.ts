import { expect, it } from 'vitest';

import {
  profilePoolProblems,
  profileProblems,
} from '../../../src/manifests/checks/check-performance-profile.js';
import { objectsOf } from '../../assets/manifests/given.js';

function profile(spec: string): string {
  return `apiVersion: performance.openshift.io/v2\nkind: PerformanceProfile\nmetadata: {name: a}\nspec: {${spec}}\n`;
}

const master = 'nodeSelector: {node-role.kubernetes.io/master: ""}';

function found(spec: string): readonly string[] {
  return profileProblems(objectsOf(profile(spec))).map(({ at, message }) => `${at?.path ?? ''}: ${message}`);
}

it.each([
  [
    'cpu: {reserved: 0-3, isolated: 2-31}',
    'spec.cpu.isolated: isolated and reserved both contain CPU 2-3: the node tuning operator refuses the profile',
  ],
  [
    'cpu: {reserved: 0-1, isolated: 2-31, offlined: "30,31"}',
    'spec.cpu.offlined: offlined and isolated both contain CPU 30-31: the node tuning operator refuses the profile',
  ],
  [
    'cpu: {reserved: "0-1, 32-33", isolated: 2-31}',
    'spec.cpu.reserved: reserved is "0-1, 32-33", expected a list of CPUs',
  ],
  ['cpu: {reserved: 0-1, isolated: ""}', 'spec.cpu.isolated: isolated contains no CPU'],
  [
    'nodeSelector: {node-role.kubernetes.io/master: "", a/b: ""}',
    'spec.nodeSelector: nodeSelector has 2 labels, expected one',
  ],
  [
    'nodeSelector: {master: ""}',
    'spec.nodeSelector: the node tuning operator cannot derive a role from the label "master"',
  ],
  [
    'hugepages: {pages: [{size: 1G, count: 1}]}',
    'spec.hugepages.defaultHugepagesSize: defaultHugepagesSize is missing, and pages are configured',
  ],
  [
    'hugepages: {defaultHugepagesSize: 1G, pages: [{size: 1G, count: 1, node: 0}, {size: 1G, count: 2, node: 0}]}',
    'spec.hugepages.pages[1]: an earlier entry of pages has the same size and NUMA node',
  ],
  [
    'realTimeKernel: {enabled: true}, workloadHints: {realTime: false}',
    'spec.workloadHints.realTime: the realtime kernel is enabled, but workloadHints.realTime is false',
  ],
  [
    'workloadHints: {highPowerConsumption: true, perPodPowerManagement: true}',
    'spec.workloadHints.highPowerConsumption: highPowerConsumption and perPodPowerManagement cannot both be true',
  ],
  [
    'workloadHints: {mixedCpus: true}',
    'spec.workloadHints.mixedCpus: mixedCpus is true, but cpu.shared contains no CPU',
  ],
])('%s', (spec, want) => {
  expect(found(spec)).toEqual([want]);
});

it.each([
  `cpu: {reserved: "0-1,32-33", isolated: "2-31,34-63"}, ${master}`,
  'cpu: {reserved: $reserved, isolated: $isolated}, nodeSelector: {node-role.kubernetes.io/$mcp: ""}',
  'cpu: null, hugepages: {pages: null}, nodeSelector: null',
  'hugepages: {defaultHugepagesSize: 1G, pages: [{size: 1G, count: 1, node: 0}, {size: 1G, count: 1, node: 1}]}',
])('accepts %s', (spec) => {
  expect(found(spec)).toEqual([]);
});

function foundPools(spec: string, more = ''): readonly string[] {
  return profilePoolProblems(objectsOf(`${profile(spec)}${more}`)).map(({ message }) => message);
}

const stops = 'the render of the node tuning operator expects one, and the bootstrap stops';

it.each([
  [
    'nodeSelector: {node-role.kubernetes.io/worker-cnf: ""}',
    [`nodeSelector matches no MachineConfigPool: ${stops}`],
  ],
  ['nodeSelector: {}', [`nodeSelector matches no MachineConfigPool: ${stops}`]],
  [
    'nodeSelector: {node-role.kubernetes.io/master: "", node-role.kubernetes.io/worker: ""}',
    [`nodeSelector matches the MachineConfigPools master and worker: ${stops}`],
  ],
  [master, []],
  ['nodeSelector: {node-role.kubernetes.io/worker: ""}', []],
  ['nodeSelector: null', []],
  ['cpu: {reserved: $reserved, isolated: $isolated}, nodeSelector: {}', []],
])('pools of a profile with %s', (spec, want) => {
  expect(foundPools(spec)).toEqual(want);
});

it('a custom pool, and a pool that replaces master', () => {
  const pool = (name: string, label: string): string =>
    `---\napiVersion: machineconfiguration.openshift.io/v1\nkind: MachineConfigPool\nmetadata: {name: ${name}}\nspec: {nodeSelector: {matchLabels: {${label}: ""}}}\n`;
  const custom = 'nodeSelector: {node-role.kubernetes.io/worker-cnf: ""}';
  expect(foundPools(custom, pool('worker-cnf', 'node-role.kubernetes.io/worker-cnf'))).toEqual([]);
  expect(foundPools(master, pool('master', 'node-role.kubernetes.io/master'))).toEqual([]);
});
