import { createHash } from 'node:crypto';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { xzDecode } from '../../formats/xz.js';
import {
  imageInMemory,
  concatImages,
  imageRange,
  piecesOf,
  type DiskImage,
} from '../../formats/disk-image.js';
import { damagedImage, type IsoVolume } from '../iso-volume.js';
import {
  isMinisoFault,
  maxMinisoBytes,
  readMiniso,
  type MinisoData,
  type MinisoFault,
} from './miniso-data.js';

/** ISO 9660 name. Source: coreos-installer src/live/mod.rs */
const dataFile = 'COREOS/MINISO.DAT';

/** Partition table, descriptors and directories take a few hundred KiB uncompressed. */
const maxRestBytes = 64 * 1024 * 1024;

/** Reads a live image's description of its minimal image. Problems: media/no-minimal, media/damaged. */
export function minisoDataOf(volume: IsoVolume): Result<MinisoData> {
  const place = volume.find(dataFile);
  if (place === undefined) return noMinimal('the image has no data for a minimal image');
  if (place.length > maxMinisoBytes) return damagedImage(`${dataFile} is too large`);
  const bytes = volume.image.read(place.offset, place.length);
  if (bytes === undefined) return damagedImage(`${dataFile} is beyond its end`);
  const data = readMiniso(bytes);
  return isMinisoFault(data) ? refused(data) : success(data);
}

function refused(fault: MinisoFault): Result<never> {
  if (fault.kind === 'version') {
    const { version } = fault;
    return noMinimal(`the data for a minimal image has unknown version ${version}`);
  }
  return damagedImage(`${dataFile} cannot be read: ${fault.what}`);
}

function noMinimal(message: string): Result<never> {
  const hint =
    'use the live ISO as downloaded; ISOs for s390x or from before 2021-12 do not support --minimal: remove it, or use `create single-node-pxe`';
  return failure(problem('media/no-minimal', message, { hint }));
}

/**
 * The minimal image of an unmodified live image. Shared parts are read from the live image on demand; only the rest is in memory.
 * Reads the whole minimal image once to verify its checksum. Problems: media/damaged.
 */
export async function minimalImage(
  full: DiskImage,
  { shared, sha256, packed }: MinisoData,
): Promise<Result<DiskImage>> {
  const sharedBytes = shared.reduce((sum, { length }) => sum + length, 0);
  // The minimal image is the full image without some of its files.
  const isInside = shared.every(({ inFull, length }) => inFull + length <= full.bytes);
  if (!isInside || sharedBytes > full.bytes) return damagedImage(`a file in ${dataFile} is beyond its end`);
  const rest = await xzDecode(packed, Math.min(maxRestBytes, full.bytes - sharedBytes));
  if (rest === undefined) return damagedImage(`the xz data in ${dataFile} is damaged`);
  const image = concatImages(partsOf(full, shared, imageInMemory(rest)));
  const isWhole = image.bytes === sharedBytes + rest.length;
  return isWhole && digestOf(image) === sha256
    ? success(image)
    : damagedImage(`the checksum of the minimal image does not match ${dataFile}`);
}

/** Parts in the order of the minimal image. If `rest` is too short, reading the parts fails. */
function partsOf(full: DiskImage, shared: MinisoData['shared'], rest: DiskImage): readonly DiskImage[] {
  let [end, used] = [0, 0];
  const parts: DiskImage[] = [];
  for (const { inMinimal, inFull, length } of shared) {
    const gap = inMinimal - end;
    parts.push(imageRange(rest, { offset: used, length: gap }), imageRange(full, { offset: inFull, length }));
    used += gap;
    end = inMinimal + length;
  }
  return [...parts, imageRange(rest, { offset: used, length: Math.max(0, rest.bytes - used) })];
}

function digestOf(image: DiskImage): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(image)) hash.update(piece);
  return hash.digest('hex');
}
