import { success, type Result } from '../core/result.js';
import { copyImage, isSameImage, patchImage } from '../disk/image-file.js';
import type { DiskImage, Patch } from '../media/disk-image.js';
import { configIn, endsWithArguments } from '../media/single-node-iso.js';
import type { PreparedIso } from './prepare-iso.js';

/** An image that only lacks to be written. */
export interface IsoWriting {
  readonly prepared: PreparedIso;
  readonly patches: readonly Patch[];
  /** That is in the patches, to be read back. */
  readonly config: Buffer;
  /** The live image, which is copied where it is not a minimal one that is wanted. */
  readonly live: string;
  /** Where it goes: over the live image itself, or to a file that is not there. */
  readonly to: string;
}

/** Writes an image, and reads it back. Problems: media/output, dir/not-writable. */
export async function writeIso(writing: IsoWriting): Promise<Result<void>> {
  const { prepared, patches, live, to } = writing;
  const isSound = (written: DiskImage): Promise<boolean> => isReadBack(written, writing);
  if (to === live) return patchImage(to, patches, isSound);
  const { minimal, image } = prepared.source;
  return copyImage({ from: minimal === undefined ? live : image, to, patches, isSound });
}

async function isReadBack(written: DiskImage, { config, prepared }: IsoWriting): Promise<boolean> {
  const found = await configIn(written);
  if (!found.ok || found.value?.equals(config) !== true) return false;
  return endsWithArguments(written, prepared.kernelArguments);
}

/** For everybody to read: it is the same for all machines, and a server has to find it. */
const rootfsMode = 0o644;

/** Writes the root file system of a minimal image where it has still to be written. Problems: media/output, dir/not-writable. */
export async function writeRootfs({ source, rootfsFile }: PreparedIso): Promise<Result<void>> {
  if (rootfsFile === undefined || source.minimal === undefined) return success(undefined);
  const { rootfs } = source.minimal;
  const isSound = (written: DiskImage): Promise<boolean> => Promise.resolve(isSameImage(written, rootfs));
  return copyImage({ from: rootfs, to: rootfsFile, patches: [], mode: rootfsMode, isSound });
}
