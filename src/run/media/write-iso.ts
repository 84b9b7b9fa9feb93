import { success, type Result } from '../../core/result.js';
import { copyImage, patchImage } from '../../disk/image/copy-image.js';
import { isSameImage } from '../../disk/image/image-file.js';
import { digestsWhile, type ImageDigests } from '../../disk/image/image-digests.js';
import type { DiskImage, Patch } from '../../formats/disk-image.js';
import { configIn, endsWithArguments } from '../../media/single-node-iso.js';
import type { PreparedIso } from './prepare-iso.js';
import type { MediumFile } from './receipted-medium.js';

/** An image that only lacks to be written. */
export interface IsoWriting {
  readonly prepared: PreparedIso;
  readonly patches: readonly Patch[];
  /** That is in the patches, to be read back. */
  readonly config: Buffer;
  /** The file of the live image, which is copied where it is not a minimal one that is wanted. */
  readonly live: string;
  /** Where it goes: over the live image itself, or to a file that is not there. */
  readonly to: string;
}

/** Writes an image, reads it back, and gives its digests before and after. Problems: media/output, dir/not-writable. */
export async function writeIso(writing: IsoWriting): Promise<Result<ImageDigests>> {
  const { prepared, patches, live, to } = writing;
  const isSound = (written: DiskImage): Promise<boolean> => isReadBack(written, writing);
  const { minimal, image: from } = prepared.source;
  if (to === live) return patchImage(to, { from, patches, isSound });
  return copyImage({ from, ...(minimal === undefined && { file: live }), to, patches, isSound });
}

async function isReadBack(written: DiskImage, { config, prepared }: IsoWriting): Promise<boolean> {
  const found = await configIn(written);
  if (!found.ok || found.value?.equals(config) !== true) return false;
  return endsWithArguments(written, prepared.kernelArguments);
}

/** For everybody to read: it is the same for all machines, and a server has to find it. */
const rootfsMode = 0o644;

/**
 * Writes the root file system of a minimal image where it has still to be written, and gives what a receipt says of it; of none where no
 * file was asked for. Problems: media/output, dir/not-writable.
 */
export async function writeRootfs(
  { source, rootfsFile }: PreparedIso,
  wanted: string | undefined,
): Promise<Result<readonly MediumFile[]>> {
  if (wanted === undefined || source.minimal === undefined) return success([]);
  const { rootfs } = source.minimal;
  const isSound = (written: DiskImage): Promise<boolean> => Promise.resolve(isSameImage(written, rootfs));
  const written =
    rootfsFile === undefined
      ? success(digestsWhile(rootfs, []))
      : await copyImage({ from: rootfs, to: rootfsFile, patches: [], mode: rootfsMode, isSound });
  if (!written.ok) return written;
  return success([{ path: wanted, bytes: rootfs.bytes, mode: rootfsMode, sha256: written.value.after }]);
}
