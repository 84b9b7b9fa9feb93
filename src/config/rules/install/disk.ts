import { quoted } from '../../../core/quoted.js';
import { mayBeSecret } from '../../../core/secrets.js';
import type { Finding } from '../../../fields/rule.js';
import type { InstallRule, InstallSubject } from './install-subject.js';

const path = ['bootstrapInPlace', 'installationDisk'];

/** The disk that the node is installed to. */
export const diskRules: readonly InstallRule[] = [
  {
    number: 41,
    fields: ['bootstrapInPlace'],
    text: 'bootstrapInPlace is given when a single node is installed in place.',
    origin: 'openshift-install',
  },
  {
    number: 42,
    fields: ['bootstrapInPlace.installationDisk'],
    text: 'installationDisk is the path of one whole disk below /dev, without blanks, options or characters with a meaning to a shell.',
    origin: 'sno-install',
    check: devicePath,
  },
  {
    number: 43,
    fields: ['bootstrapInPlace.installationDisk'],
    text: 'installationDisk is a name that stays with the disk, not one like /dev/sda, /dev/nvme0n1, /dev/mmcblk0 or /dev/dm-0 that the kernel hands out in the order it finds disks (a warning).',
    origin: 'sno-install',
    check: kernelName,
  },
];

/** A path that every tool on the node takes for one word. Characters: those that udev leaves in names (systemd src/shared/udev-util.c). */
const device = /^\/dev(\/[A-Za-z0-9][A-Za-z0-9#+.:=@_-]*)+$/;

const partition = /^\/dev\/([shv]d[a-z]+\d+|xvd[a-z]+\d+|(nvme\d+n\d+|mmcblk\d+)p\d+)$|-part\d+$/;

function devicePath({ config }: InstallSubject): readonly Finding[] {
  const disk = config.bootstrapInPlace?.installationDisk;
  if (disk === undefined) return [];
  const fault = diskFault(disk);
  return fault === undefined ? [] : [{ code: 'config/installation-disk', path, ...fault }];
}

function diskFault(disk: string): Pick<Finding, 'message' | 'hint'> | undefined {
  const hint = 'give the path of one disk, best one of /dev/disk/by-id/';
  if (/\s/.test(disk)) return { message: `installationDisk ${quoted(disk)} has a blank in it`, hint };
  if (!disk.startsWith('/dev/')) {
    const message = `installationDisk ${quoted(disk)} is not a path below /dev`;
    const isShown = device.test(`/dev/${disk}`) && !mayBeSecret(disk);
    return { message, hint: isShown ? `write "/dev/${disk}"` : hint };
  }
  if (!device.test(disk))
    return { message: `installationDisk ${quoted(disk)} is not the plain path of a device`, hint };
  if (partition.test(disk))
    return { message: `installationDisk ${disk} is a partition; the node needs a whole disk`, hint };
  return undefined;
}

function kernelName({ config }: InstallSubject): readonly Finding[] {
  const disk = config.bootstrapInPlace?.installationDisk ?? '';
  // Virtual disks (/dev/vda) keep their names: there is one bus, in the order of the machine's definition.
  if (!/^\/dev\/(sd[a-z]+|nvme\d+n\d+|mmcblk\d+|dm-\d+)$/.test(disk)) return [];
  const message = `${disk} may be another disk at the next boot, and what is on it would be lost`;
  return [
    {
      code: 'config/installation-disk-name',
      path,
      message,
      hint: 'use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them',
    },
  ];
}
