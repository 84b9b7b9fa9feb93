import { expect, it } from 'vitest';

import { hostnameProblems } from '../../../src/manifests/checks/check-hostname.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function machineConfig(source: string, role = 'master', path = '/etc/hostname'): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: 99-name, labels: {machineconfiguration.openshift.io/role: ${role}}}
spec: {config: {ignition: {version: 3.2.0}, storage: {files: [{path: ${path}, ${source}}]}}}
`;
}

function found(text: string, hostname: string | undefined): readonly string[] {
  return hostnameProblems(objectsOf(text), hostname).map(showProblem);
}

const base64 = (text: string) => `data:;base64,${Buffer.from(text).toString('base64')}`;
const at = 'f.yaml:4:70 (spec.config.storage.files[0].path)';

it.each([
  ['other text', 'contents: {source: "data:,sno2"}', '"sno2"'],
  ['another in base64', `contents: {source: "${base64('sno2\n')}"}`, '"sno2"'],
  ['a longer one', 'contents: {source: "data:,sno1.example.com%0A"}', '"sno1.example.com"'],
  ['an empty one', 'mode: 420', '""'],
])('%s than hostname', (_name, source, shown) => {
  expect(found(machineConfig(source), 'sno1')).toEqual([
    `error[manifest/hostname] ${at}: MachineConfig 99-name names the node ${shown}, and hostname in sno-config.yaml is "sno1"`,
  ]);
});

it('a name without hostname', () => {
  const given = machineConfig('contents: {source: "data:,sno2%0A"}');
  expect(found(given, undefined)).toEqual([
    `warning[manifest/hostname-not-live] ${at}: MachineConfig 99-name names the installed node, and the live system does not get the name`,
  ]);
  expect(hostnameProblems(objectsOf(given), undefined)[0]?.hint).toBe(
    'write hostname: sno2 in sno-config.yaml, which names both',
  );
});

it.each([
  ['the same name', machineConfig('contents: {source: "data:,sno1"}')],
  ['the same name in base64', machineConfig(`contents: {source: "${base64('SNO1\n')}"}`)],
  ['compressed', machineConfig('contents: {compression: gzip, source: "data:;base64,AAAA"}')],
  ['of workers', machineConfig('contents: {source: "data:,sno2"}', 'worker')],
  ['another file', machineConfig('contents: {source: "data:,sno2"}', 'master', '/etc/hostname.d')],
])('%s', (_name, given) => {
  expect(found(given, 'sno1')).toEqual([]);
});
