import { lstatSync, realpathSync, rmSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { receiptName, signatureSuffix } from '../../review/receipt/receipt.js';
import { reasonOf } from '../file-system-problem.js';
import { readRegularFile } from '../regular-file.js';
import { replaceFile } from '../replace-file.js';
import { readReceipt } from './read-receipt.js';
import { isReceiptPath } from './receipt-shape.js';

/**
 * Where the receipt of a medium lies, a file or a folder: beside it, under its name. What stands there already is a receipt, or left as it
 * is. Problems: media/output.
 */
export function placeOfMediaReceipt(medium: string): Result<string> {
  const { whole, place } = placeBeside(medium);
  const refused = (message: string): Result<string> =>
    failure(problem('media/output', message, { hint: 'name another place with --out' }));
  if (!isReceiptPath(basename(whole)))
    return refused('the name of what is to be written has a character in it that no receipt takes');
  const stats = lstatSync(place, { throwIfNoEntry: false });
  const isFree = stats === undefined || (stats.isFile() && readReceipt(place).ok);
  return isFree ? success(place) : refused(`${place} is there already, is no receipt and is left as it is`);
}

/** Whether there is nothing where the receipt of a medium lies. */
export function lacksMediaReceipt(medium: string): boolean {
  return lstatSync(placeBeside(medium).place, { throwIfNoEntry: false }) === undefined;
}

function placeBeside(medium: string): { readonly whole: string; readonly place: string } {
  const whole = ['.', '..', ''].includes(basename(medium)) ? resolve(medium) : medium;
  return { whole, place: join(dirname(whole), `${basename(whole)}.${receiptName}`) };
}

/** The path of something by that of a folder that it lies below, as receipts have it; `''` for the folder itself, undefined for any other. */
export function pathBelow(folder: string, path: string): string | undefined {
  const found = relative(realpathSync(folder), realpathSync(path));
  if (found === '') return '';
  const parts = found.split(sep).join('/');
  return !isAbsolute(found) && isReceiptPath(parts) ? parts : undefined;
}

/** Takes away the receipt of a medium that is no more: a new one is not to be taken for that, should its own never be written. Problems: dir/not-writable. */
export function forgetMediaReceipt(medium: string, place: string): Result<void> {
  return lstatSync(medium, { throwIfNoEntry: false }) === undefined ? removeFile(place) : success(undefined);
}

/** A receipt with the signature that belongs beside it, where one does. */
export interface SignedText {
  readonly receipt: string;
  /** What is to be the signature, when it is told the one that is there, if that is of this receipt or of an earlier one. */
  readonly signature: (there: string | undefined) => string | undefined;
}

const everybody = 0o644;
const maxSignatureBytes = 64 * 1024;

/** Writes the receipt of a medium, and takes away the signature of the one that was there. Problems: dir/not-writable. */
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
      : replaceFile(place, receipt, { mode: everybody, followsLink: true });
  if (!written.ok || wanted === undefined || (before === receipt && wanted === there)) return written;
  return replaceFile(signed, wanted, { mode: everybody, followsLink: true });
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
