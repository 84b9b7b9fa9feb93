import { existsSync, realpathSync, statSync, type BigIntStats } from 'node:fs';
import { dirname, resolve } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import {
  deviceNumberOf,
  devicePath,
  readBlockDevice,
  type BlockDevice,
  type SystemView,
} from '../block-device/block-device.js';
import { reasonOf, systemErrorCode } from '../system-error.js';

/** Name of the partition with a payload. The node looks for it. */
export const payloadPartition = 'sno-payload';

/** The place of a payload. `path` contains no links. */
export type PayloadTarget =
  | { readonly kind: 'file'; readonly path: string; readonly exists: boolean }
  | { readonly kind: 'disk' | 'partition'; readonly path: string; readonly device: BlockDevice };

/** Finds the disk, partition or file at a path. Links are followed. Problems: payload/target. */
export function findTarget(path: string, platform: NodeJS.Platform, view: SystemView): Result<PayloadTarget> {
  // Windows has paths such as \\.\PhysicalDrive1.
  if (platform === 'win32' && path.startsWith('\\\\.\\')) return needsLinux(path);
  let found: { readonly path: string; readonly stats: BigIntStats };
  try {
    found = { path: realpathSync(path), stats: statSync(path, { bigint: true }) };
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return systemErrorCode(error) === 'ENOENT'
      ? newFile(path)
      : refused(path, `cannot be read: ${reasonOf(error)}`);
  }
  const { stats } = found;
  if (stats.isFile()) return success({ kind: 'file', path: found.path, exists: true });
  if (stats.isDirectory()) return refused(path, 'is a folder');
  if (!stats.isBlockDevice()) return refused(path, 'is no disk');
  if (platform !== 'linux') return needsLinux(path);
  const device = readBlockDevice(deviceNumberOf(stats.rdev), view);
  if (device === undefined) return refused(path, 'is no disk that the kernel knows', lsblk);
  return deviceTarget(path, found.path, device);
}

const lsblk = '`lsblk` lists the disks';

/** A device that is not plugged in must not become a file in /dev. */
function newFile(path: string): Result<PayloadTarget> {
  const whole = resolve(path);
  if (whole.startsWith('/dev/') && !whole.startsWith('/dev/shm/'))
    return refused(path, 'does not exist', `plug the disk in; ${lsblk}`);
  const folder = dirname(whole);
  if (!existsSync(folder))
    return refused(
      path,
      `cannot be written: ${dirname(path)} does not exist`,
      'create the folder, or name another file',
    );
  return success({ kind: 'file', path, exists: false });
}

function deviceTarget(path: string, real: string, device: BlockDevice): Result<PayloadTarget> {
  const { partition } = device;
  if (device.isOptical)
    return refused(
      path,
      'is a CD drive',
      'name a disk, or create an ISO that contains the payload: `sno-install create iso --payload FILE`',
    );
  if (device.bytes === 0) return refused(path, 'has no medium', 'insert the card or disk');
  if (device.isReadOnly)
    return refused(path, 'is read-only', 'unlock the write protection of the medium, or use another one');
  if (partition === undefined) return success({ kind: 'disk', path: real, device });
  if (partition.label === payloadPartition) return success({ kind: 'partition', path: real, device });
  const name = partition.label === '' ? 'has no name' : `is named ${partition.label}`;
  const disk = devicePath(partition.disk);
  const hint = `name the whole disk, ${disk}, whose contents are then erased; or give the partition the name: \`sgdisk --change-name=${partition.index}:${payloadPartition} ${disk}\``;
  return refused(path, `is a partition that ${name}, not ${payloadPartition}`, hint);
}

function needsLinux(path: string): Result<never> {
  const hint =
    'write a disk image, `sno-install payload write FILE disk.img`, and copy it to the disk with a program of this system';
  return refused(path, 'is a disk, and only Linux shows which disks are in use', hint);
}

/** A target that cannot be written. */
export function refused(
  path: string,
  fault: string,
  hint = `name a disk such as /dev/sdb, a partition named ${payloadPartition}, or a file for a disk image`,
): Result<never> {
  return failure(problem('payload/target', `${path} ${fault}`, { hint }));
}
