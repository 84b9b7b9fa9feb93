import { success, type Result } from '../../core/result.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { extractMinimalIso } from '../../media/minimal-iso.js';
import type { ExpectedImage } from '../../media/image-mismatches.js';

export interface IsoSource {
  readonly image: DiskImage;
  /** Arguments that the live kernel needs on every machine. */
  readonly kernelArguments: readonly string[];
  /** For a minimal image: its root file system and the URL that it is fetched from. */
  readonly minimal?: { readonly rootfsUrl: URL; readonly rootfs: DiskImage };
  /** Text of the manifest of the payload behind the live image. */
  readonly payload?: string;
  /** A file with the bytes of `image`, whose blocks copies share. Default: the live ISO, if `image` is all of it. */
  readonly file?: string;
}

/** The image itself, or the minimal image in it if a URL for its root file system is given. Problems: those of openMinimalIso. */
export async function isoSource(
  image: DiskImage,
  rootfs: string | undefined,
  wanted: ExpectedImage,
): Promise<Result<IsoSource>> {
  if (rootfs === undefined) return success({ image, kernelArguments: [] });
  const opened = await extractMinimalIso(image, { rootfs, ...wanted });
  if (!opened.ok) return opened;
  const { argument, image: minimalImage, ...minimal } = opened.value;
  return success({ image: minimalImage, kernelArguments: [argument], minimal }, opened.warnings);
}
