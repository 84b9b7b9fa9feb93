import { describe, expect, it } from 'vitest';

import { templatesFrom } from '../../../src/disk/program-files/templates.js';
import { reservedPathProblems, reservedPathsOf } from '../../../src/manifests/checks/check-reserved-paths.js';
import { nodeFaults } from '../../../src/ignition/foreign/node-faults.js';
import { objectsOf } from '../../assets/manifests/given.js';

const claims = reservedPathsOf(templatesFrom('templates'));

it('the installation itself writes where Ignition can, with names that programs read', () => {
  const files = [...claims.paths].map((path) => ({ path, mode: 0o755 }));
  expect(nodeFaults({ storage: { files } })).toEqual([]);
});

function machineConfig(config: string, role = 'master'): string {
  return `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata:
  labels: {machineconfiguration.openshift.io/role: ${role}}
  name: 99-mine
spec:
  config: {ignition: {version: 3.2.0}, ${config}}
`;
}

function found(text: string): readonly string[] {
  return reservedPathProblems(objectsOf(text), claims).map(
    ({ code, at }) => `${code} at ${at === undefined ? '' : (at.path ?? '')}`,
  );
}

const conflict = 'manifest/machine-config-conflict at spec.config';

describe('MachineConfigs with paths of the installation', () => {
  it.each([
    {
      name: 'a file',
      given: 'storage: {files: [{path: /etc/a}, {path: /usr/local/bin/sno-common.sh}]}',
      want: [`${conflict}.storage.files[1].path`],
    },
    {
      name: 'a static pod of the control plane',
      given: 'storage: {files: [{path: /etc/kubernetes/manifests/etcd-pod.yaml}]}',
      want: [`${conflict}.storage.files[0].path`],
    },
    {
      name: 'a file below a folder of the installation',
      given: 'storage: {files: [{path: /etc/kubernetes/bootstrap-secrets/mine}]}',
      want: [`${conflict}.storage.files[0].path`],
    },
    {
      name: 'folders and links in their places',
      given:
        'storage: {directories: [{path: /opt/openshift}], links: [{path: /var/lib/etcd, target: /data}]}',
      want: [`${conflict}.storage.directories[0].path`, `${conflict}.storage.links[0].path`],
    },
    {
      name: 'a unit',
      given: 'systemd: {units: [{name: a.service}, {name: sno-etcd-restore.service}]}',
      want: [`${conflict}.systemd.units[1].name`],
    },
  ])('are problems: $name', ({ given, want }) => {
    expect(found(machineConfig(given))).toEqual(want);
  });

  it.each([
    { name: 'the host name', given: machineConfig('storage: {files: [{path: /etc/hostname}]}') },
    {
      name: 'beside what the installation writes',
      given: machineConfig(
        'storage: {files: [{path: /etc/kubernetes/manifests/mine.yaml}], directories: [{path: /etc/kubernetes}]}',
      ),
    },
    {
      name: 'for workers, which are installed otherwise',
      given: machineConfig('systemd: {units: [{name: bootkube.service}]}', 'worker'),
    },
    {
      name: 'of another kind',
      given:
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {machineconfiguration.openshift.io/role: master}}\n' +
        'spec: {config: {systemd: {units: [{name: bootkube.service}]}}}\n',
    },
    { name: 'without a config', given: machineConfig('storage: 7') },
  ])('are none: $name', ({ given }) => {
    expect(found(given)).toEqual([]);
  });

  it('are those that the node itself would refuse: every path and unit of its list is claimed', () => {
    expect(claims.paths.size).toBeGreaterThan(30);
    expect([...claims.units].toSorted()).toEqual([
      'bootkube.service',
      'sno-etcd-restore.service',
      'sno-post-install.service',
      'sno-report.service',
    ]);
  });
});
