import { basename, dirname, join } from 'node:path';

import { printable } from '../../core/printable.js';
import type { Result } from '../../core/result.js';
import { pathBelow, writeMediaReceipt } from '../../disk/receipt/media-receipt-place.js';
import { readReceipt } from '../../disk/receipt/read-receipt.js';
import { mediaReceipt } from '../../review/receipt/media-receipt.js';
import type { ReceiptLiveIso, ReceiptMedium } from '../../review/receipt/receipt-medium.js';
import { modeText, receiptName, serializeReceipt, type ReceiptOutput } from '../../review/receipt/receipt.js';
import type { ReceiptSigner } from '../receipted.js';

/** A file of a medium, by its path from the working directory. */
export interface MediumFile {
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly sha256: string;
}

/** A medium that was written, and what it was made of. */
export interface WrittenMedium {
  /** As it stands behind `create`. */
  readonly target: string;
  /** Where the configs lie with their receipt, from the working directory. */
  readonly dir: string;
  readonly config: { readonly path: string; readonly bytes: Uint8Array };
  readonly files: readonly MediumFile[];
  /** As it was before anything was put into it. */
  readonly liveIso?: Omit<MediumFile, 'mode'> &
    Pick<ReceiptLiveIso, 'architecture' | 'release'> & {
      /** Whether it lies there no more: the medium is in its place. */
      readonly isReplaced: boolean;
    };
  readonly urls: ReceiptMedium['urls'];
  readonly kernelArguments: readonly string[];
  readonly signer?: ReceiptSigner;
}

/** Writes the receipt of a medium to the place that `placeOfMediaReceipt` gave. Problems: receipt/unreadable, dir/not-writable. */
export function receiptMedium(place: string, medium: WrittenMedium): Result<void> {
  const { dir, liveIso, signer, files, ...facts } = medium;
  const configs = readReceipt(join(dir, receiptName));
  if (!configs.ok) return configs;
  const folder = dirname(place);
  const inner = pathBelow(folder, dir);
  const receipt = mediaReceipt({
    ...facts,
    configs: configs.value.receipt,
    prefix: inner === '' || inner === undefined ? inner : `${inner}/`,
    ...(liveIso && { liveIso: liveIsoFrom(folder, liveIso) }),
    outputs: files.flatMap((file) => outputFrom(folder, file)),
  });
  const text = serializeReceipt(receipt);
  return writeMediaReceipt(place, {
    receipt: text,
    signature: (there) => {
      if (signer === undefined) return there;
      const bytes = Buffer.from(text);
      return there !== undefined && signer.isSigned(bytes, there) ? there : signer.sign(bytes);
    },
  });
}

function liveIsoFrom(
  folder: string,
  { path, isReplaced, ...facts }: NonNullable<WrittenMedium['liveIso']>,
): ReceiptLiveIso {
  const inner = isReplaced ? undefined : pathBelow(folder, path);
  return { ...facts, name: printable(basename(path)), ...(inner !== undefined && { path: inner }) };
}

/** What lies elsewhere, such as a root file system in the folder of a web server, cannot be looked for and is not named. */
function outputFrom(folder: string, { path, bytes, mode, sha256 }: MediumFile): readonly ReceiptOutput[] {
  const inner = pathBelow(folder, path);
  return inner === undefined ? [] : [{ path: inner, bytes, mode: modeText(mode), sha256 }];
}
