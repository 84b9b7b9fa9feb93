import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { receiptName, signatureSuffix } from './receipt.js';
import { reasonOf } from '../system-error.js';
import { readRegularFile } from '../regular-file.js';
import { replaceFile } from '../replace-file.js';
import { readReceipt } from './read-receipt.js';
import { isReceiptPath } from './receipt-shape.js';

/**
 * Path of the receipt of a medium, which may be a file or a folder: next to it, with its name as prefix. An existing receipt there is
 * accepted; any other file is rejected. Problems: media/output.
 */
export function mediaReceiptPath(medium: string): Result<string> {
  const { whole, place } = receiptLocation(medium);
  const refused = (message: string): Result<string> =>
    failure(problem('media/output', message, { hint: 'name another path with --out' }));
  if (!isReceiptPath(basename(whole)))
    return refused('the file name contains a character that is not allowed in a receipt');
  const stats = lstatSync(place, { throwIfNoEntry: false });
  const isFree = stats === undefined || (stats.isFile() && readReceipt(place).ok);
  return isFree
    ? success(place)
    : refused(`${place} already exists and is not a receipt; it was not changed`);
}

/** Whether no file exists at the path of the medium's receipt. */
export function isMediaReceiptMissing(medium: string): boolean {
  return lstatSync(receiptLocation(medium).place, { throwIfNoEntry: false }) === undefined;
}

function receiptLocation(medium: string): { readonly whole: string; readonly place: string } {
  const whole = ['.', '..', ''].includes(basename(medium)) ? resolve(medium) : medium;
  return { whole, place: join(dirname(whole), `${basename(whole)}.${receiptName}`) };
}

/** Path relative to `folder`, in the form used in receipts: `''` for the folder itself, undefined for a path outside. */
export function pathBelow(folder: string, path: string): string | undefined {
  const found = relative(realpathSync(folder), realpathSync(path));
  if (found === '') return '';
  const parts = found.split(sep).join('/');
  return !isAbsolute(found) && isReceiptPath(parts) ? parts : undefined;
}

/**
 * Removes the receipt of a medium that no longer exists or is overwritten, so that it is not taken for the receipt of a new medium.
 * Problems: dir/not-writable.
 */
export function removeMediaReceipt(
  medium: string,
  place: string,
  { overwrite }: { readonly overwrite: boolean },
): Result<void> {
  const isStale = overwrite || lstatSync(medium, { throwIfNoEntry: false }) === undefined;
  return isStale ? removeFile(place) : success(undefined);
}

/** A receipt and its signature, if it is signed. */
export interface SignedText {
  readonly receipt: string;
  /** Returns the signature to write. `there` is the existing signature if the receipt on disk has the same text. */
  readonly signature: (there: string | undefined) => string | undefined;
}

const publicMode = 0o644;
const maxSignatureBytes = 64 * 1024;

/** Writes the receipt of a medium, and removes the signature of a receipt with another text. Problems: dir/not-writable. */
export function writeMediaReceipt(place: string, { receipt, signature }: SignedText): Result<void> {
  const signed = `${place}${signatureSuffix}`;
  const [before, there] = [textOf(place), textOf(signed)];
  const wanted = signature(before === receipt ? there : undefined);
  if (wanted === undefined || before !== receipt) {
    const removed = removeFile(signed);
    if (!removed.ok) return removed;
  }
  const written =
    before === receipt
      ? success(undefined)
      : replaceFile(place, receipt, { mode: publicMode, followsLink: true });
  if (!written.ok || wanted === undefined || (before === receipt && wanted === there)) return written;
  return replaceFile(signed, wanted, { mode: publicMode, followsLink: true });
}

function textOf(path: string): string | undefined {
  const read = readRegularFile(path, maxSignatureBytes * 16);
  return read.kind === 'file' ? read.bytes.toString('utf8') : undefined;
}

function removeFile(path: string): Result<void> {
  try {
    rmSync(path, { force: true });
    return success(undefined);
  } catch (error) {
    return failure(problem('dir/not-writable', `cannot remove ${path}: ${reasonOf(error)}`));
  }
}
