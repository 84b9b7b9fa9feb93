import { expect, test } from 'vitest';

import { bootstrapInPlace } from '../../src/assets/config/bootstrap-in-place.js';
import { installConfig } from '../../src/assets/config/install-config.js';
import { installerVariable } from '../../src/config/reading/installer-arguments.js';
import { problemsOf } from '../../src/core/result.js';
import { resolve } from '../../src/graph/engine.js';
import { testContext } from '../support/context.js';
import { soundInstallConfig } from './sound-config.js';

const variable = 'OPENSHIFT_INSTALL_EXPERIMENTAL_BOOTSTRAP_IN_PLACE_COREOS_INSTALLER_ARGS';
const none = {
  savePartitionLabels: [],
  savePartitionIndexes: [],
  appendKernelArguments: [],
  deleteKernelArguments: [],
};

test.each([
  { given: '', want: none },
  { given: '  --copy-network -n ', want: none },
  {
    given: '--save-partlabel data*,logs --save-partindex=5-7,9 --save-partlabel=more',
    want: { ...none, savePartitionLabels: ['data*', 'logs', 'more'], savePartitionIndexes: ['5-7', '9'] },
  },
  {
    given: '--append-karg console=ttyS0,115200n8 --delete-karg=console=tty0 -n --append-karg quiet',
    want: {
      ...none,
      appendKernelArguments: ['console=ttyS0,115200n8', 'quiet'],
      deleteKernelArguments: ['console=tty0'],
    },
  },
  {
    given: '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4 --append-karg quiet',
    want: { ...none, appendKernelArguments: ['quiet'] },
    disk: '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4',
  },
  {
    given: '-n /dev/disk/by-id/ata-A /dev/disk/by-id/ata-A',
    want: none,
    disk: '/dev/disk/by-id/ata-A',
  },
])('the variable $given is read', ({ given, want, disk }) => {
  expect(installerVariable(given)).toEqual({
    settings: want,
    problems: [],
    ...(disk !== undefined && { disk }),
  });
});

test.each([
  {
    given: '/dev/sda1',
    want: ': the disk /dev/sda1 is a partition; the node needs a whole disk | write the path of one disk, preferably below /dev/disk/by-id/',
  },
  {
    given: 'nvme0n1',
    want: ': the disk "nvme0n1" is not a path below /dev | write "/dev/nvme0n1"',
  },
  {
    given: '/dev/disk/by-id/ata-A -n /dev/disk/by-id/ata-B',
    want: ': it names several disks: "/dev/disk/by-id/ata-A", "/dev/disk/by-id/ata-B" | name one disk',
  },
  {
    given: '--console ttyS0',
    want: ': --console is not supported | add console=… to coreosInstaller.appendKernelArguments in sno-config.yaml',
  },
  {
    given: '-p qemu',
    want: ': -p is not supported | not needed: the installed system always uses platform metal',
  },
  {
    given: '--ignition-url=https://files.example.com/a.ign',
    want: ': --ignition-url is not supported | add a MachineConfig to openshift/: the installation generates the Ignition config',
  },
  { given: '--unknown', want: ': "--unknown" is not supported | coreos-installer has no such option' },
  { given: '--save-partlabel', want: ': --save-partlabel has no value' },
  {
    given: '--save-partindex 3',
    want: ': partition index 3 includes partitions 1 to 4, which belong to the operating system | write a number such as 5, or a range such as 5-7 or 5-',
  },
  {
    given: "--save-partlabel 'data*'",
    want: ' contains a character that a shell would interpret | write the arguments as fields of coreosInstaller in sno-config.yaml',
  },
])('the variable $given is rejected', ({ given, want }) => {
  const shown = installerVariable(given).problems.map(
    ({ code, message, hint }) => `${code} ${message}${hint === undefined ? '' : ` | ${hint}`}`,
  );
  expect(shown).toEqual([`usage/environment ${variable}${want}`]);
});

test('a disk with a name of the kernel is a warning', () => {
  const { disk, problems } = installerVariable('/dev/sda');
  expect(disk).toBe('/dev/sda');
  expect(problems).toEqual([
    {
      code: 'config/installation-disk-name',
      severity: 'warning',
      message: `${variable}: /dev/sda may be another disk at the next boot, and the installation would erase it`,
      hint: 'use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    },
  ]);
});

const ofVariable = '/dev/disk/by-id/wwn-0x5000c500a1b2c3d4';
const install = (disk: string): string =>
  soundInstallConfig.replace(
    /bootstrapInPlace:\n.*\n/,
    disk === '' ? '' : `bootstrapInPlace: { installationDisk: ${disk} }\n`,
  );
const sno = (fields: string): string => `apiVersion: sno-install/v1alpha1\nkind: SingleNodeConfig\n${fields}`;

test.each([
  { name: 'alone', files: { 'install-config.yaml': install('') }, want: [] },
  { name: 'with the same disk', files: { 'install-config.yaml': install(ofVariable) }, want: [] },
  {
    name: 'with another disk',
    files: { 'install-config.yaml': install('/dev/disk/by-id/wwn-0x5000c500a1b2c3d5') },
    want: [
      `config/given-twice install-config.yaml:23 bootstrapInPlace.installationDisk and ${variable} name different disks | unset the variable, or remove the field`,
    ],
  },
  {
    name: 'with rootDeviceHints',
    files: {
      'install-config.yaml': install(''),
      'sno-config.yaml': sno('rootDeviceHints: { serialNumber: A1 }\n'),
    },
    want: [
      `config/given-twice sno-config.yaml:3 rootDeviceHints and ${variable} name different disks | unset the variable, or remove the field`,
    ],
  },
])('a disk of the variable $name', async ({ files, want }) => {
  const result = await resolve(
    [bootstrapInPlace, installConfig],
    testContext({ files, environment: { coreosInstallerArguments: `${ofVariable} -n` } }),
  );
  expect(
    problemsOf(result).map(
      ({ code, at, message, hint }) =>
        `${code} ${at?.file ?? ''}:${at?.line ?? ''} ${message} | ${hint ?? ''}`,
    ),
  ).toEqual(want);
  if (want.length > 0) return;
  const disks = result.ok && [
    result.value.valueOf(bootstrapInPlace)?.installationDisk,
    result.value.valueOf(installConfig).bootstrapInPlace?.installationDisk,
  ];
  expect(disks).toEqual([ofVariable, ofVariable]);
});
