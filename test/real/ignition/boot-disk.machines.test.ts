import { spawnSync } from 'node:child_process';

import { expect, it } from 'vitest';

import { toData } from '../../../src/formats/yaml/yaml-tree.js';
import { valueAt } from '../../../src/ignition/foreign/config-entries.js';
import { nodeFaults } from '../../../src/ignition/foreign/node-faults.js';
import { objectsOf } from '../../assets/manifests/given.js';
import { describeWithButane } from '../enrich/real-butane.js';

const [bootDisk, second] = [
  '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
  '/dev/disk/by-id/wwn-0x5000c500a1b2c3d5',
];

function boot(...lines: readonly string[]): string {
  return [
    'variant: openshift',
    'version: 4.20.0',
    'metadata: {name: 50-boot, labels: {machineconfiguration.openshift.io/role: master}}',
    'boot_device:',
    ...lines,
  ].join('\n');
}

const mirror = `  mirror: {devices: [${bootDisk}, ${second}]}`;
const tpm2 = '  luks: {tpm2: true}';

/** The partitions for data on a mirror, as in Butane's examples. */
const data = `storage:
  disks:
    - {device: ${bootDisk}, partitions: [{label: root-1, size_mib: 25000}, {label: var-1}]}
    - {device: ${second}, partitions: [{label: root-2, size_mib: 25000}, {label: var-2}]}
  raid: [{name: md-var, level: raid1, devices: [/dev/disk/by-partlabel/var-1, /dev/disk/by-partlabel/var-2]}]
  filesystems:
    - {device: /dev/md/md-var, path: /var, format: xfs, wipe_filesystem: true, with_mount_unit: true}
`;

/** Sources: coreos.github.io/butane/examples; OpenShift, "Mirroring disks during installation" */
const examples: readonly (readonly [name: string, text: string])[] = [
  ['a mirror of x86_64', boot('  layout: x86_64', mirror)],
  ['a mirror of aarch64', boot('  layout: aarch64', mirror)],
  ['an encrypted mirror', boot('  layout: x86_64', mirror, tpm2)],
  ['a mirror with partitions for data', boot('  layout: x86_64', mirror, data)],
  ['encryption', boot(tpm2)],
  [
    'encryption by tang',
    boot('  luks: {threshold: 1, tang: [{url: http://tang.example.com, thumbprint: x}]}'),
  ],
];

describeWithButane('boot disks of Butane', (butane) => {
  it.each(examples)('%s', (_, text) => {
    const { status, stdout, stderr } = spawnSync(butane(), ['--strict'], { input: text, encoding: 'utf8' });
    expect([stderr, status]).toEqual(['', 0]);
    const [object] = objectsOf(stdout);
    const config = object && valueAt(toData(object.source.root), ['spec', 'config']);
    expect(valueAt(config, ['storage', 'filesystems'])).toBeDefined();
    expect(nodeFaults(config, { bootDisk })).toEqual([]);
  });
});
