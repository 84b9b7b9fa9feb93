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

it("reports a duplicate of a generated file at the user's file, in any order", () => {
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

describe('labels of the kubelet', () => {
  const file = (path: string, text: string): string =>
    `{config: {storage: {files: [{path: ${path}, contents: {source: "data:,${encodeURIComponent(text)}"}}]}}}`;
  const ours = generated(
    machineConfig(
      '99-master-node-labels',
      file(
        '/etc/systemd/system/kubelet.service.d/30-node-labels.conf',
        '[Service]\nEnvironment="CUSTOM_KUBELET_LABELS=a=b"\n',
      ),
    ),
  );
  const message =
    'MachineConfig 98-mine sets the variable "CUSTOM_KUBELET_LABELS", and so does 99-master-node-labels';

  it.each([
    [
      'an environment file',
      file('/etc/kubernetes/kubelet-env', 'A=1\nCUSTOM_KUBELET_LABELS=c=d\n'),
      '4:42 (spec.config.storage.files[0].path)',
    ],
    [
      'a drop-in',
      `{config: {systemd: {units: [{name: kubelet.service, dropins: [{name: a.conf, contents: "[Service]\\nEnvironment=CUSTOM_KUBELET_LABELS=c=d"}]}]}}}`,
      '4:76 (spec.config.systemd.units[0].dropins[0].name)',
    ],
  ])('in %s too', (_name, spec, place) => {
    const manifests = [machineConfig('98-mine', spec), ours];
    expect(found(...manifests)).toEqual([`warning[manifest/set-twice] f.yaml:${place}: ${message}`]);
    expect(settingProblems(manifests)[0]?.hint).toBe(
      'the kubelet gets one of them: write all labels in nodeLabels of sno-config.yaml',
    );
  });
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

describe('profiles of NetworkManager', () => {
  const folder = '/etc/NetworkManager/system-connections';
  const profile = (name: string, fileName: string, text: string, role?: string) =>
    machineConfig(
      name,
      `{config: {storage: {files: [{path: ${folder}/${fileName}, contents: {source: "data:,${encodeURIComponent(text)}"}}]}}}`,
      role,
    );
  const eno1 = (id: string) => `[connection]\nid=${id}\ntype=ethernet\ninterface-name=eno1\n`;
  const ours = generated(profile('99-master-network', 'eno1.nmconnection', eno1('eno1')));

  it('for the interface of a generated one', () => {
    const given = [profile('98-mine', 'uplink.nmconnection', eno1('uplink')), ours];
    expect(found(...given)).toEqual([
      `warning[manifest/network-profile] f.yaml:4:42 (spec.config.storage.files[0].path): MachineConfig 98-mine has a profile with interface-name "eno1", and so does "eno1.nmconnection" of 99-master-network`,
    ]);
    expect(settingProblems(given)[0]?.hint).toBe(
      'describe the interface in one place: network of sno-config.yaml, which the live system gets too',
    );
  });

  it('of two MachineConfigs of the user', () => {
    const given = [profile('a', 'a', eno1('a')), profile('b', 'b', eno1('b'))];
    expect(settingProblems(given).map(({ hint }) => hint)).toEqual(['keep one of the two profiles']);
  });

  it('with the path of a generated one are reported as duplicates', () => {
    expect(found(ours, profile('98-mine', 'eno1.nmconnection', eno1('uplink')))).toEqual([
      expect.stringContaining('warning[manifest/set-twice]'),
    ]);
  });

  it('of another pool, of another interface, and the same file', () => {
    expect(found(ours, profile('a', 'b', eno1('b'), 'worker'))).toEqual([]);
    expect(found(ours, profile('a', 'b', eno1('b').replace('eno1', 'eno2')))).toEqual([]);
    expect(found(ours, profile('a', 'eno1.nmconnection', eno1('eno1')))).toEqual([]);
  });
});

it('accepts one text in two encodings, and ignores the host name', () => {
  const other = file('1').replace('data:,1', 'data:;base64,MQ==');
  expect(found(machineConfig('a', file('1')), machineConfig('b', other))).toEqual([]);
  const hostname = (text: string) => file(text).replace('/etc/a', '/etc/hostname');
  expect(found(machineConfig('a', hostname('1')), machineConfig('b', hostname('2')))).toEqual([]);
  expect(
    found(machineConfig('a', hostname('1'), 'worker'), machineConfig('b', hostname('2'), 'worker')),
  ).toHaveLength(1);
});
