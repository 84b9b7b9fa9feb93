import { basename, dirname, join } from 'node:path';

import { printable } from '../../core/printable.js';
import type { Result } from '../../core/result.js';
import { pathBelow, writeMediaReceipt } from './media-receipt.js';
import { readReceipt } from './read-receipt.js';
import { mediaReceipt } from './make-media-receipt.js';
import type { ReceiptLiveIso, ReceiptMedium, ReceiptPayload } from './receipt-medium.js';
import { modeText, receiptName, serializeReceipt, type ReceiptOutput } from './receipt.js';
import type { ReceiptSigner } from './receipt-signer.js';

/** A file of a medium; the path is relative to the working directory. */
export interface MediumFile {
  readonly path: string;
  readonly bytes: number;
  readonly mode: number;
  readonly sha256: string;
}

/** A written medium and its sources. */
export interface WrittenMedium {
  /** The argument of `create`. */
  readonly target: string;
  /** Folder of the configs and their receipt, relative to the working directory. */
  readonly dir: string;
  readonly config: { readonly path: string; readonly bytes: Uint8Array };
  readonly files: readonly MediumFile[];
  /** Before the config was embedded. */
  readonly liveIso?: Omit<MediumFile, 'mode'> &
    Pick<ReceiptLiveIso, 'architecture' | 'release'> & {
      /** Whether the medium replaced it. */
      readonly isReplaced: boolean;
    };
  readonly payload?: ReceiptPayload;
  readonly urls: ReceiptMedium['urls'];
  readonly kernelArguments: readonly string[];
  readonly signer?: ReceiptSigner;
}

/** Writes the receipt of a medium to the path from `mediaReceiptPath`. Problems: receipt/unreadable, dir/not-writable. */
export function writeMediumReceipt(place: string, medium: WrittenMedium): Result<void> {
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

/** A file in another folder, such as a root file system of a web server, cannot be verified and is left out. */
function outputFrom(folder: string, { path, bytes, mode, sha256 }: MediumFile): readonly ReceiptOutput[] {
  const inner = pathBelow(folder, path);
  return inner === undefined ? [] : [{ path: inner, bytes, mode: modeText(mode), sha256 }];
}
