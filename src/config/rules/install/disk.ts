import { deviceNameFault, devicePathFault, persistentNameHint } from '../device-path.js';
import type { Finding } from '../../schema/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

const path = ['bootstrapInPlace', 'installationDisk'];

export const diskRules: readonly InstallRule[] = [
  {
    number: 41,
    fields: ['bootstrapInPlace'],
    text: 'bootstrapInPlace is set, or rootDeviceHints of sno-config.yaml, but not both. The environment variable of the original design counts as bootstrapInPlace.',
    origin: 'sno-install',
  },
  {
    number: 42,
    fields: ['bootstrapInPlace.installationDisk'],
    text: 'installationDisk is the path of one whole disk below /dev, not of a partition or a file system, without blanks, options or special characters of a shell.',
    origin: 'sno-install',
    check: devicePath,
  },
  {
    number: 43,
    fields: ['bootstrapInPlace.installationDisk'],
    text: 'installationDisk is a persistent name, not one such as /dev/sda, /dev/nvme0n1, /dev/mmcblk0 or /dev/dm-0 that the kernel assigns in the order it finds disks, nor by-diskseq, a disk of a virtual machine or a RAID array (a warning).',
    origin: 'sno-install',
    check: kernelName,
  },
];

function devicePath({ config }: InstallSubject): readonly Finding[] {
  const disk = config.bootstrapInPlace?.installationDisk;
  const fault = disk === undefined ? undefined : devicePathFault('installationDisk', disk);
  return fault === undefined ? [] : [{ code: 'config/installation-disk', path, ...fault }];
}

function kernelName({ config }: InstallSubject): readonly Finding[] {
  const message = deviceNameFault(config.bootstrapInPlace?.installationDisk ?? '');
  return message === undefined
    ? []
    : [{ code: 'config/installation-disk-name', path, message, hint: persistentNameHint }];
}
