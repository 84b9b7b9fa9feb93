import { describe, expect, it } from 'vitest';

import type { Manifest } from '../../../src/kube/manifest.js';
import { rootDeviceProblems } from '../../../src/manifests/checks/check-root-device.js';
import { userManifest } from '../../../src/manifests/edits/documents.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { showProblem } from '../../support/show-problem.js';

function machineConfig(name: string, storage: string, role = 'master'): Manifest {
  const text = `apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: ${name}, labels: {machineconfiguration.openshift.io/role: ${role}}}
spec: {config: {ignition: {version: 3.2.0}, storage: ${storage}}}
`;
  const [object] = objectsOf(text);
  if (object === undefined) throw new Error('no object');
  return userManifest(`openshift/${name}.yaml`, object);
}

const root = '{filesystems: [{device: /dev/mapper/root, label: root}]}';
const ours = machineConfig('99-master-disk-encryption', root);
const message =
  'MachineConfig mine creates the root file system, and so does diskEncryption of sno-config.yaml';

describe('a MachineConfig of the user, with diskEncryption', () => {
  it.each([
    ['luks of root', '{luks: [{name: root}]}', 'luks[0]', 'remove one of them'],
    [
      'luks of the partition of root',
      '{luks: [{name: var}, {name: a, device: /dev/disk/by-partlabel/root}]}',
      'luks[1]',
      'remove one of them',
    ],
    ['the file system of root', root, 'filesystems[0]', 'remove one of them'],
    [
      'a mirror of Butane',
      '{raid: [{name: md-boot}, {name: md-root}], filesystems: [{device: /dev/md/md-root, label: root}]}',
      'raid[1]',
      'remove diskEncryption, and add luks to boot_device of the Butane config that writes the mirror',
    ],
  ])('creates %s', (_name, storage, place, hint) => {
    const found = rootDeviceProblems([ours, machineConfig('mine', storage)]);
    expect(found.map(showProblem)).toEqual([
      expect.stringMatching(
        new RegExp(
          `^error\\[manifest/root-twice\\] f.yaml:4:\\d+ \\(spec.config.storage.${place.replace(/[[\]]/g, '\\$&')}\\): ${message}$`,
        ),
      ),
    ]);
    expect(found[0]?.hint).toBe(hint);
  });

  it.each([
    ['for another disk', [ours, machineConfig('mine', '{luks: [{name: data, device: /dev/sdb}]}')]],
    ['for workers', [ours, machineConfig('mine', root, 'worker')]],
    ['without diskEncryption', [machineConfig('mine', root)]],
  ])('%s', (_name, manifests) => {
    expect(rootDeviceProblems(manifests)).toEqual([]);
  });
});
