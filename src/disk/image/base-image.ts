import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import { piecesOf, type DiskImage } from '../../formats/disk-image.js';
import { sharesBlocks } from './copy-image.js';
import { draftPath, removeStaleDrafts } from './image-drafts.js';

/** Path of a draft in a folder that images of the folder are copied from. Removes those of killed runs. */
export function baseImagePath(folder: string, name: string): string {
  const path = join(folder, name);
  removeStaleDrafts(path);
  return draftPath(path);
}

/** Whether copies of a file in a folder share its blocks. */
export function sharesBlocksIn(folder: string): boolean {
  const [probe, copy] = ['probe', 'probe-copy'].map((name) => draftPath(join(folder, name)));
  if (probe === undefined || copy === undefined) return false;
  try {
    // Some file systems keep a few bytes in the inode, without blocks. Source: mkfs.btrfs(8), inline files
    const file = openSync(probe, 'wx', ownerOnly);
    writeSync(file, Buffer.alloc(64 * 1024, 1));
    closeSync(file);
    return sharesBlocks(probe, copy);
  } catch {
    // Writing the images reports the reason.
    return false;
  } finally {
    for (const path of [probe, copy]) rmSync(path, { force: true });
  }
}

const ownerOnly = 0o600;

/** Writes a copy of a file that shares its blocks, with another start, as a base of images, and returns whether it could be written. */
export function writeSharedBase(path: string, file: string, start: DiskImage): boolean {
  return sharesBlocks(file, path) && writeTo(path, 'r+', start);
}

/** Writes an image as a base of others, and returns whether it could be written. */
export function writeBaseImage(path: string, image: DiskImage): boolean {
  return writeTo(path, 'wx', image);
}

function writeTo(path: string, flags: 'wx' | 'r+', image: DiskImage): boolean {
  try {
    const file = openSync(path, flags, ownerOnly);
    try {
      let end = 0;
      for (const piece of piecesOf(image)) {
        for (let done = 0; done < piece.length;) done += writeSync(file, piece, done);
        end += piece.length;
      }
      return end === image.bytes;
    } finally {
      closeSync(file);
    }
  } catch {
    // The images are then written without it, and report the reason.
    return false;
  }
}
