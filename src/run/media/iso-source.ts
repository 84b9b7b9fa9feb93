import { success, type Result } from '../../core/result.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { openMinimalIso } from '../../media/minimal-iso.js';
import type { WantedImage } from '../../media/mismatches.js';

/** What a live image is made from. */
export interface IsoSource {
  readonly image: DiskImage;
  /** What its kernel has to be told, whoever boots it. */
  readonly kernelArguments: readonly string[];
  /** Of a minimal image: what it fetches, and from where. */
  readonly minimal?: { readonly rootfsUrl: URL; readonly rootfs: DiskImage };
}

/** The image itself, or, where a URL for its root file system is given, the minimal one in it. Problems: those of openMinimalIso. */
export async function isoSource(
  image: DiskImage,
  rootfs: string | undefined,
  wanted: WantedImage,
): Promise<Result<IsoSource>> {
  if (rootfs === undefined) return success({ image, kernelArguments: [] });
  const opened = await openMinimalIso(image, { rootfs, ...wanted });
  if (!opened.ok) return opened;
  const { argument, image: taken, ...minimal } = opened.value;
  return success({ image: taken, kernelArguments: [argument], minimal }, opened.warnings);
}
