import { expect, test } from 'vitest';

import { installerVariable } from '../../src/config/reading/installer-arguments.js';

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
])('the variable $given is read', ({ given, want }) => {
  expect(installerVariable(given)).toEqual({ settings: want, problems: [] });
});

test.each([
  {
    given: '/dev/vda',
    want: ': the disk "/dev/vda" is not read from here | set bootstrapInPlace.installationDisk in install-config.yaml, or rootDeviceHints in sno-config.yaml',
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
