import { expect, it } from 'vitest';

import { cpuSetProblems } from '../../../src/manifests/checks/check-cpu-sets.js';
import { manifestsOf } from './pool-manifests.js';

function profile(cpu: string, more = ''): string {
  return `apiVersion: performance.openshift.io/v2
kind: PerformanceProfile
metadata: {name: p}
spec: {cpu: ${cpu}, nodeSelector: {node-role.kubernetes.io/master: ""}${more}}
`;
}

function machineConfig(spec: string, name = 'mc', role = 'master'): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: ${name}, labels: {machineconfiguration.openshift.io/role: ${role}}}
spec: ${spec}
`;
}

function file(path: string, text: string): string {
  const source = `data:text/plain;base64,${Buffer.from(text).toString('base64')}`;
  return `{config: {storage: {files: [{path: ${path}, contents: {source: "${source}"}}]}}}`;
}

const crio = (cpus: string): string =>
  file(
    '/etc/crio/crio.conf.d/01-workload-partitioning',
    `[crio.runtime.workloads.management]\nactivation_annotation = "target.workload.openshift.io/management"\nresources = { "cpushares" = 0, "cpuset" = "${cpus}" }\n`,
  );
const pinning = (cpus: string): string =>
  file('/etc/kubernetes/openshift-workload-pinning', `{"management": {"cpuset": "${cpus}"}}`);

const usual = profile('{reserved: 0-1, isolated: 2-31}');

function found(...texts: readonly string[]): readonly string[] {
  return cpuSetProblems(texts.flatMap((text, index) => manifestsOf(text, `${index}.yaml`))).map(
    ({ at, message }) => `${at?.path ?? ''}: ${message}`,
  );
}

it.each([
  [
    'CRI-O with other CPUs than the profile',
    [usual, machineConfig(crio('0-3'))],
    'spec.config.storage.files[0].contents: the cpuset in /etc/crio/crio.conf.d/01-workload-partitioning of MachineConfig mc is "0-3", and cpu.reserved of PerformanceProfile p "0-1": both reserve CPUs for the platform, and differ',
  ],
  [
    'the kubelet with other CPUs than CRI-O',
    [machineConfig(crio('0-1')), machineConfig(pinning('0-1,32'), 'b')],
    'spec.config.storage.files[0].contents: the cpuset in /etc/kubernetes/openshift-workload-pinning of MachineConfig b is "0-1,32", and the cpuset in /etc/crio/crio.conf.d/01-workload-partitioning of MachineConfig mc "0-1": both reserve CPUs for the platform, and differ',
  ],
  [
    'isolcpus that contains reserved CPUs',
    [usual, machineConfig('{kernelArguments: ["isolcpus=managed_irq,domain,1-31"]}')],
    'spec.kernelArguments[0]: isolcpus of MachineConfig mc is "1-31", and cpu.reserved of PerformanceProfile p "0-1": CPU 1 is isolated and reserved for the platform',
  ],
  [
    'systemd.cpu_affinity that contains isolated CPUs',
    [usual, machineConfig('{kernelArguments: [nohz_full=2-31, systemd.cpu_affinity=0-2]}')],
    'spec.kernelArguments[1]: systemd.cpu_affinity of MachineConfig mc is "0-2", and cpu.isolated of PerformanceProfile p "2-31": CPU 2 is isolated and reserved for the platform',
  ],
  [
    'a second profile',
    [usual, profile('{reserved: 2-3, isolated: 4-31}').replace('name: p', 'name: q')],
    'spec.cpu.reserved: cpu.reserved of PerformanceProfile q is "2-3", and cpu.isolated of PerformanceProfile p "2-31": CPU 2-3 is isolated and reserved for the platform',
  ],
])('%s', (_, given, want) => {
  expect(found(...given)).toEqual([want]);
});

it.each([
  ['the same CPUs everywhere', [usual, machineConfig(crio('0,1')), machineConfig(pinning('0-1'), 'b')]],
  [
    'arguments that agree',
    [usual, machineConfig('{kernelArguments: [isolcpus=2-31, rcu_nocbs=2-31, systemd.cpu_affinity=0-1]}')],
  ],
  [
    'arguments without a list',
    [usual, machineConfig('{kernelArguments: [nohz_full=all, "isolcpus=nohz,$cpus"]}')],
  ],
  ['workers', [usual, machineConfig(crio('0-7'), 'mc', 'worker')]],
  [
    'CRI-O without a cpuset',
    [usual, machineConfig(file('/etc/crio/crio.conf.d/99-site', '[crio.runtime]\n'))],
  ],
  ['lists within one profile', [profile('{reserved: 0-3, isolated: 2-31}')]],
])('%s are silent', (_, given) => {
  expect(found(...given)).toEqual([]);
});
