import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';

import { ifAccessible } from '../file-size.js';

/** Where the kernel describes devices. */
export interface SystemView {
  /** `/proc` and `/sys` */
  readonly proc: string;
  readonly sys: string;
  /** The number of the block device at a path, such as `8:16`; undefined if there is none. */
  readonly numberAt: (path: string) => string | undefined;
}

export const systemView: SystemView = { proc: '/proc', sys: '/sys', numberAt: deviceNumber };

/** A disk or partition. Source: Linux, Documentation/ABI/stable/sysfs-block */
export interface BlockDevice {
  /** Major and minor number, such as `8:16`. */
  readonly number: string;
  /** Name of the kernel, such as `sdb` or `sdb1`. */
  readonly name: string;
  readonly bytes: number;
  readonly sectorBytes: number;
  readonly isReadOnly: boolean;
  readonly isOptical: boolean;
  /** Whether its disk can be pulled out: removable medium, USB, SD card. */
  readonly isRemovable: boolean;
  /** Vendor and model of its disk; may be empty. */
  readonly model: string;
  /** Absent for a whole disk. */
  readonly partition?: {
    /** Its number, and its name in the partition table. */
    readonly index: string;
    readonly label: string;
    /** Name of the kernel. */
    readonly disk: string;
  };
}

/** The unit of `size`, whatever the sectors are. */
const sizeUnit = 512;

/** Describes a block device; undefined if the kernel does not know it any more. */
export function readBlockDevice(number: string, { sys }: SystemView): BlockDevice | undefined {
  const folder = realFolder(join(sys, 'dev/block', number));
  if (folder === undefined) return undefined;
  const index = attribute(folder, 'partition');
  const disk = index === '' ? folder : dirname(folder);
  const isCard = disk.includes('/mmc_host/') && attribute(disk, 'device/type') === 'SD';
  return {
    number,
    name: basename(folder),
    bytes: Number(attribute(folder, 'size')) * sizeUnit,
    sectorBytes: Number(attribute(disk, 'queue/logical_block_size')) || sizeUnit,
    isReadOnly: attribute(folder, 'ro') === '1',
    isOptical: /^sr\d/.test(basename(disk)),
    // The disk of a USB case says 0.
    isRemovable: attribute(disk, 'removable') === '1' || /\/usb\d+\//.test(disk) || isCard,
    model: `${attribute(disk, 'device/vendor')} ${attribute(disk, 'device/model')}`.trim(),
    ...(index !== '' && { partition: { index, label: partitionLabel(folder), disk: basename(disk) } }),
  };
}

/** The path of a device, which the kernel names with `!` for a slash. */
export function devicePath(name: string): string {
  return `/dev/${name.replaceAll('!', '/')}`;
}

function partitionLabel(folder: string): string {
  return /^PARTNAME=(.*)$/m.exec(attribute(folder, 'uevent'))?.[1] ?? '';
}

/** The contents of a file in a folder of sysfs, without white space around; empty if it does not exist. */
export function attribute(folder: string, name: string): string {
  return ifAccessible(() => readFileSync(join(folder, name), 'utf8').trim()) ?? '';
}

/** Names in a folder of sysfs; none if it does not exist. */
export function entriesOf(folder: string): readonly string[] {
  return ifAccessible(() => readdirSync(folder)) ?? [];
}

function realFolder(path: string): string | undefined {
  return ifAccessible(() => realpathSync(path));
}

function deviceNumber(path: string): string | undefined {
  // Sources of file systems such as tmpfs are no paths.
  if (!isAbsolute(path)) return undefined;
  return ifAccessible(() => {
    const stats = statSync(path, { bigint: true });
    return stats.isBlockDevice() ? deviceNumberOf(stats.rdev) : undefined;
  });
}

/** Source: glibc, sysdeps/unix/sysv/linux/sys/sysmacros.h (gnu_dev_major, gnu_dev_minor) */
export function deviceNumberOf(device: bigint): string {
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & 0xffff_f000n);
  const minor = (device & 0xffn) | ((device >> 12n) & 0xffff_ff00n);
  return `${major}:${minor}`;
}
