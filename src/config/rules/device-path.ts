import { quoted } from '../../core/quoted.js';
import type { Finding } from '../schema/rule.js';

/** A path that every tool on the node reads as one word. Characters: those that udev keeps in names (systemd src/shared/udev-util.c). */
const device = /^\/dev(\/[A-Za-z0-9][A-Za-z0-9#+.:=@_-]*)+$/;

/** Disks as the kernel names them, or a link below /dev/disk. */
const kernelName = /^(?:[shv]d[a-z]+|xvd[a-z]+|nvme\d+n\d+|mmcblk\d+|md\d+|disk\/by-[a-z]+\/[\w.:@+#=-]+)$/;

const partition = /^\/dev\/([shv]d[a-z]+\d+|xvd[a-z]+\d+|(nvme\d+n\d+|mmcblk\d+|md\d+)p\d+)$|-part\d+$/;

/** Links to partitions and file systems. Source: systemd rules.d/60-persistent-storage.rules */
const contentLink = /^\/dev\/disk\/(by-(?:partlabel|partuuid|uuid|label))\//;

/** The fault of a path that does not name one whole disk. `field` is its name in messages. */
export function devicePathFault(field: string, disk: string): Pick<Finding, 'message' | 'hint'> | undefined {
  const hint = 'write the path of one disk, preferably below /dev/disk/by-id/';
  if (/\s/.test(disk)) return { message: `${field} ${quoted(disk)} contains a space`, hint };
  if (!disk.startsWith('/dev/')) {
    const message = `${field} ${quoted(disk)} is not a path below /dev`;
    if (kernelName.test(disk)) return { message, hint: `write "/dev/${disk}"` };
    const bySerial = '; for a serial number use rootDeviceHints in sno-config.yaml';
    return { message, hint: /^\w[\w.-]*$/.test(disk) ? `${hint}${bySerial}` : hint };
  }
  if (!device.test(disk)) return { message: `${field} ${quoted(disk)} is not a plain device path`, hint };
  if (partition.test(disk))
    return { message: `${field} ${disk} is a partition; the node needs a whole disk`, hint };
  const [, folder] = contentLink.exec(disk) ?? [];
  return folder === undefined
    ? undefined
    : {
        message: `${field} ${disk} is a partition or a file system, like all names in ${folder}; the node needs a whole disk`,
        hint,
      };
}

/** Why another disk can get this name, or the same disk another name; undefined for a persistent name. */
export function deviceNameFault(disk: string): string | undefined {
  if (/^\/dev\/(sd[a-z]+|nvme\d+n\d+|mmcblk\d+|dm-\d+)$/.test(disk))
    return `${disk} may be another disk at the next boot, and the installation would erase it`;
  // Source: systemd rules.d/60-persistent-storage.rules; diskseq of Linux' Documentation/ABI/stable/sysfs-block
  if (disk.startsWith('/dev/disk/by-diskseq/'))
    return `${disk} is numbered in the order of detection, so it may be another disk at the next boot`;
  if (/^\/dev\/(vd|xvd)[a-z]+$/.test(disk))
    return `${disk} is a disk of a virtual machine; physical machines have no such disk`;
  // Source: md(4) and mdadm(8): an array that is not in mdadm.conf gets a number from 127 downwards
  return /^\/dev\/(md\d+|md\/.+|disk\/by-id\/md-.+)$/.test(disk)
    ? `${disk} is a software RAID array, which has to exist before the installation and may get another name in the live system`
    : undefined;
}

export const persistentNameHint =
  'use a name below /dev/disk/by-id, as "ls -l /dev/disk/by-id" in the live system lists them';
