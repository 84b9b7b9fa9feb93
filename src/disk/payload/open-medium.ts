import { closeSync, constants, openSync, statSync } from 'node:fs';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { imageRange, type DiskImage } from '../../formats/disk-image.js';
import { partitionRange } from '../../formats/gpt.js';
import { squashfsBytes } from '../../formats/squashfs.js';
import { findPayload } from '../../media/payload/appended-payload.js';
import { readPayloadFile } from '../../media/payload/payload-file.js';
import { deviceNumberOf, readBlockDevice, systemView } from '../block-device/block-device.js';
import { ifAccessible } from '../file-size.js';
import { imageFromFile, openImage, type OpenImage } from '../image/image-file.js';
import { unreadableFile } from '../named-file.js';
import { unopened } from '../regular-file.js';
import type { OpenPayload } from './open-payload.js';
import { payloadPartition } from './payload-target.js';

/**
 * Opens the payload of a file, a disk image, or a disk or partition: at its start, in its partition sno-payload, or behind the ISO of a
 * disk. Problems: payload/not-a-payload, those of `openPayload`.
 */
export function openPayloadMedium(path: string): Result<OpenPayload> {
  const isDevice = isBlockDevice(path);
  const opened = isDevice ? openDevice(path) : openImage('the file', path);
  if (!opened.ok) return opened;
  const { image, close } = opened.value;
  const found = placeOf(image, { mayBeIso: isDevice });
  // The reader of a payload gives the reason for a file.
  const payload = found ?? image;
  const read = found === undefined && isDevice ? nothingOn(path) : readPayloadFile(payload, path);
  if (read.ok) return success({ ...read.value, image: payload, close });
  close();
  return read;
}

/** Whether a file is a payload or a disk image with one; true for every disk. */
export function mayHavePayload(path: string): boolean {
  if (isBlockDevice(path)) return true;
  const isFile = ifAccessible(() => statSync(path, { throwIfNoEntry: false }))?.isFile() === true;
  const opened = isFile ? openImage('the file', path) : undefined;
  if (opened?.ok !== true) return false;
  const isPayload = placeOf(opened.value.image, { mayBeIso: false }) !== undefined;
  opened.value.close();
  return isPayload;
}

function isBlockDevice(path: string): boolean {
  return ifAccessible(() => statSync(path, { throwIfNoEntry: false }))?.isBlockDevice() === true;
}

/** Problems: usage/unreadable-file. */
function openDevice(path: string): Result<OpenImage> {
  try {
    const { rdev } = statSync(path, { bigint: true });
    const bytes = readBlockDevice(deviceNumberOf(rdev), systemView)?.bytes ?? 0;
    if (bytes === 0) return unreadableFile('the disk', path, 'it has no medium');
    const file = openSync(path, constants.O_RDONLY);
    return success({
      image: { ...imageFromFile(file, bytes), path },
      close: () => {
        closeSync(file);
      },
    });
  } catch (error) {
    const unread = unopened(path, error);
    const hint = 'run the command as root, with sudo';
    return unreadableFile(
      'the disk',
      path,
      unread.kind === 'absent' ? 'it was removed' : unread.reason,
      hint,
    );
  }
}

function placeOf(disk: DiskImage, { mayBeIso }: { readonly mayBeIso: boolean }): DiskImage | undefined {
  if (squashfsBytes(disk) !== undefined) return disk;
  const partition = partitionRange(disk, payloadPartition);
  if (partition !== undefined) return imageRange(disk, partition);
  return mayBeIso ? findPayload(disk) : undefined;
}

function nothingOn(disk: string): Result<never> {
  const hint = 'name a disk that `sno-install payload write` wrote; `lsblk` lists the disks';
  return failure(
    problem('payload/not-a-payload', `${disk} contains no payload and no partition named sno-payload`, {
      hint,
    }),
  );
}
