import { success, type Result } from '../../core/result.js';
import { copyImage, patchImage } from '../../disk/image/copy-image.js';
import { isSameImage } from '../../disk/image/image-file.js';
import { digestImage, type WrittenImage } from '../../disk/image/image-digests.js';
import type { DiskImage, Patch } from '../../formats/disk-image.js';
import { readIsoConfig, endsWithArguments } from '../../media/single-node-iso.js';
import { payloadTextBehind } from '../../media/payload/payload-file.js';
import type { PreparedIso } from './prepare-iso.js';
import type { MediumFile } from '../../disk/receipt/write-medium-receipt.js';

/** An image that is ready to be written. */
export interface IsoWrite {
  readonly prepared: PreparedIso;
  readonly patches: readonly Patch[];
  /** The config in the patches, to be compared after writing. */
  readonly config: Buffer;
  /** The file of the live image, which is copied unless the image is minimal. */
  readonly live: string;
  /** The live image itself, or another file. */
  readonly to: string;
  /** Whether an existing file is replaced. */
  readonly overwrite: boolean;
}

/** Writes an image, reads it back, and returns its digests before and after. Problems: media/output, dir/not-writable. */
export async function writeIso(writing: IsoWrite): Promise<Result<WrittenImage>> {
  const { prepared, patches, live, to, overwrite } = writing;
  const isSound = (written: DiskImage): Promise<boolean> => isReadBack(written, writing);
  const { minimal, payload, image: from } = prepared.source;
  if (to === live) return patchImage(to, { from, patches, isSound });
  const isWhole = minimal === undefined && payload === undefined;
  const file = prepared.source.file ?? (isWhole ? live : undefined);
  return copyImage({ from, file, to, patches, isSound, overwrite });
}

async function isReadBack(written: DiskImage, { config, prepared }: IsoWrite): Promise<boolean> {
  const found = await readIsoConfig(written);
  if (!found.ok || found.value?.equals(config) !== true) return false;
  const { payload } = prepared.source;
  if (payload !== undefined && payloadTextBehind(written) !== payload) return false;
  return endsWithArguments(written, prepared.kernelArguments);
}

/** World-readable: it is the same for all machines, and a web server must read it. */
const rootfsMode = 0o644;

/**
 * Writes the root file system of a minimal image if needed, and returns its receipt entry; undefined if no file was requested. Problems:
 * media/output, dir/not-writable.
 */
export async function writeRootfs(
  { source, rootfsFile }: PreparedIso,
  { path: wanted, overwrite }: { readonly path: string | undefined; readonly overwrite: boolean },
): Promise<Result<readonly MediumFile[]>> {
  if (wanted === undefined || source.minimal === undefined) return success([]);
  const { rootfs } = source.minimal;
  const isSound = (written: DiskImage): Promise<boolean> => Promise.resolve(isSameImage(written, rootfs));
  const written =
    rootfsFile === undefined
      ? success(digestImage(rootfs, []))
      : await copyImage({ from: rootfs, to: rootfsFile, patches: [], mode: rootfsMode, isSound, overwrite });
  if (!written.ok) return written;
  return success([{ path: wanted, bytes: rootfs.bytes, mode: rootfsMode, sha256: written.value.after }]);
}
