import type { Result } from '../../core/result.js';
import { openImage } from '../../disk/image/image-file.js';
import { digestImage, type ImageDigests } from '../../disk/image/image-digests.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { isMediaReceiptMissing } from '../../disk/receipt/media-receipt.js';
import type { ReceiptSigner } from '../../disk/receipt/receipt-signer.js';
import { payloadFacts, payloadTextBehind } from '../../media/payload/payload-file.js';
import { readIsoConfig } from '../../media/single-node-iso.js';
import type { PreparedIso } from './prepare-iso.js';
import {
  writeMediumReceipt,
  type MediumFile,
  type WrittenMedium,
} from '../../disk/receipt/write-medium-receipt.js';

export interface WrittenIso extends Pick<WrittenMedium, 'dir' | 'config'> {
  readonly prepared: PreparedIso;
  /** The source image, its file, and its SHA-256 in hex if it is known. */
  readonly live: { readonly image: DiskImage; readonly path: string; readonly sha256?: string };
  readonly to: string;
  readonly digests: ImageDigests;
  /** Other written files, such as a root file system. */
  readonly others: readonly MediumFile[];
  readonly signer?: ReceiptSigner;
}

/** Images contain keys. */
const imageMode = 0o600;

/** Writes the receipt of an image. Problems: those of receiptMedium. */
export function writeIsoWithReceipt(
  place: string,
  { prepared, live, to, digests, others, ...rest }: WrittenIso,
): Result<void> {
  const { minimal, payload, image } = prepared.source;
  const { machine, release } = prepared.iso.facts;
  // A minimal image is a part of the live image, and a payload is no part of it.
  const isWhole = minimal === undefined && payload === undefined;
  const liveDigest = isWhole ? digests.before : (live.sha256 ?? digestImage(live.image, []).before);
  const contained = payload ?? payloadTextBehind(image);
  const facts = contained === undefined ? undefined : payloadFacts(contained);
  return writeMediumReceipt(place, {
    target: 'single-node-iso',
    ...rest,
    files: [{ path: to, bytes: image.bytes, mode: imageMode, sha256: digests.after }, ...others],
    liveIso: {
      path: live.path,
      bytes: live.image.bytes,
      sha256: liveDigest,
      ...(machine !== undefined && { architecture: machine }),
      ...(release !== undefined && { release }),
      isReplaced: to === live.path,
    },
    ...(facts && { payload: facts }),
    urls: minimal === undefined ? {} : { rootfs: minimal.rootfsUrl.href },
    kernelArguments: prepared.kernelArguments,
  });
}

/** Whether the file is an image with this config and without a receipt, as a run killed between the two leaves it. */
export async function isIsoWithoutReceipt(path: string, config: Buffer): Promise<boolean> {
  if (!isMediaReceiptMissing(path)) return false;
  const opened = openImage('the image', path);
  if (!opened.ok) return false;
  try {
    const found = await readIsoConfig(opened.value.image);
    return found.ok && found.value?.equals(config) === true;
  } finally {
    opened.value.close();
  }
}
