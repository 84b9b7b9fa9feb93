import { describe, expect, it } from 'vitest';

import type { Manifest } from '../../../src/kube/manifest.js';
import { settingProblems } from '../../../src/manifests/checks/check-settings.js';
import { userManifest } from '../../../src/manifests/edits/documents.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function machineConfig(name: string, spec: string, role = 'master'): Manifest {
  const text = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: ${name}, labels: {machineconfiguration.openshift.io/role: ${role}}}
spec: ${spec}
`;
  const [object] = objectsOf(text);
  if (object === undefined) throw new Error('no object');
  return userManifest(`openshift/${name}.yaml`, object);
}

function generated(manifest: Manifest): Manifest {
  const { path, object, text, isSecret } = manifest;
  return { path, object, text, isSecret, origin: 'generated' };
}

function file(text: string): string {
  return `{config: {storage: {files: [{path: /etc/a, contents: {source: "data:,${text}"}}]}}}`;
}

function found(...manifests: readonly Manifest[]): readonly string[] {
  return settingProblems(manifests).map(showProblem);
}

it('a file of two MachineConfigs, with the one that wins', () => {
  const manifests = [machineConfig('99-a', file('1')), machineConfig('98-b', file('2'))];
  expect(found(...manifests)).toEqual([
    'warning[manifest/set-twice] f.yaml:4:42 (spec.config.storage.files[0].path): MachineConfig 98-b sets the file "/etc/a", and so does 99-a',
  ]);
  expect(settingProblems(manifests)[0]?.hint).toBe(
    'the operator merges them by name, so 99-a wins: keep one of them',
  );
});

it('a file that is generated too is told at the user’s, whichever comes first', () => {
  const [own, ours] = [machineConfig('99-a', file('1')), generated(machineConfig('99-b', file('2')))];
  expect(found(own, ours)).toEqual(found(ours, own));
  expect(found(own, ours)).toHaveLength(1);
});

it('a unit, and kernel arguments', () => {
  const unit = (text: string) => `{config: {systemd: {units: [{name: a.service, contents: "${text}"}]}}}`;
  expect(found(machineConfig('a', unit('[A]')), machineConfig('b', unit('[B]')))).toHaveLength(1);
  expect(found(machineConfig('a', '{kernelArguments: [nosmt, nosmt]}'))).toEqual([
    'warning[manifest/set-twice] f.yaml:4:33 (spec.kernelArguments[1]): MachineConfig a sets the kernel argument "nosmt" twice',
  ]);
  expect(
    found(
      machineConfig('a', '{kernelArguments: [isolcpus=1]}'),
      machineConfig('b', '{kernelArguments: [isolcpus=2]}'),
    ),
  ).toHaveLength(1);
});

describe('settings that agree', () => {
  const unit = (rest: string) => `{config: {systemd: {units: [{name: a.service, ${rest}}]}}}`;

  it.each([
    ['of different roles', [machineConfig('a', file('1')), machineConfig('b', file('2'), 'worker')]],
    ['the same contents', [machineConfig('a', file('1')), machineConfig('b', file('1'))]],
    [
      'a unit that another one enables',
      [machineConfig('a', unit('contents: "[A]"')), machineConfig('b', unit('enabled: true'))],
    ],
    [
      'arguments that may repeat',
      [machineConfig('a', '{kernelArguments: [console=tty0, console=ttyS0, hugepages=4, hugepages=4]}')],
    ],
    [
      'only generated ones',
      [generated(machineConfig('a', file('1'))), generated(machineConfig('b', file('2')))],
    ],
  ])('%s', (_name, manifests) => {
    expect(found(...manifests)).toEqual([]);
  });
});
