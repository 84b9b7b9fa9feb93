import { basename, dirname } from 'node:path';

import { isError, problem, type Problem } from '../../core/problem.js';
import { programVersion } from '../../core/program-version.js';
import { problemsOf } from '../../core/result.js';
import { buildId } from '../program-files/package.js';
import { inputProblems } from './compare-inputs.js';
import { bootFaults, compareMedium } from './compare-medium.js';
import { outputProblems } from './compare-outputs.js';
import { decryptNeeded } from './decrypted-files.js';
import { readReceipt, type ReadReceipt } from './read-receipt.js';
import { fileBelow } from './file-below.js';
import type { FoundReceipt } from './find-receipts.js';
import { receiptName } from './receipt.js';
import { isReceiptPath } from './receipt-shape.js';
import { isFleetSite } from '../site-record/site-record.js';
import type { StateAccess } from '../state/state-access.js';
import { signatureBeside, type AllowedSigners, type Signature } from './receipt-signature.js';

/** Result for one receipt. */
export interface VerifiedReceipt {
  readonly file: string;
  readonly ok: boolean;
  /** Undefined if the receipt is unusable. */
  readonly read?: ReadReceipt;
  /** Undefined without a valid signature. */
  readonly signature?: Signature;
  /** Whether the live ISO of a medium was available for comparison. */
  readonly isLiveIsoCompared: boolean;
  /** Whether the inputs are those of a fleet, and were not compared. */
  readonly isFleetSite: boolean;
  readonly problems: readonly Problem[];
}

export interface VerifyOptions {
  /** Accepted signers, if a signature is required. */
  readonly allowed: AllowedSigners | undefined;
  /** Decrypts the output with the key of keyed hashes, and the config of a medium. */
  readonly access: StateAccess;
  /** The live ISO of media, if given. */
  readonly liveIso?: string | undefined;
}

/** Compares a receipt with the files it lists, and its signature with the accepted signers. Problems: receipt/*, media/*. */
export async function verifyReceipt(
  { file, medium: named }: FoundReceipt,
  { allowed, access, liveIso }: VerifyOptions,
): Promise<VerifiedReceipt> {
  const read = readReceipt(file);
  const unusable = { file, ok: false, isLiveIsoCompared: false, isFleetSite: false };
  if (!read.ok) return { ...unusable, problems: read.problems };
  const folder = dirname(file);
  const isSite = isFleetSite(folder);
  const value = ofNamedMedium(read.value, named ?? mediumBeside(file));
  const signature = signatureBeside(value, allowed);
  const opened = await decryptNeeded(folder, value, access);
  const medium = compareMedium(folder, value, { opened, liveIso });
  const changed = outputProblems(folder, value);
  const problems = [
    ...problemsOf(signature),
    ...changed,
    // A changed image is already reported.
    ...(changed.some(isError) ? [] : await bootFaults(folder, value)),
    ...(isSite ? [] : inputProblems(folder, value, opened)),
    ...medium.problems,
    ...programProblems(value),
  ];
  return {
    file,
    ok: !problems.some(isError),
    read: value,
    ...(signature.ok && signature.value && { signature: signature.value }),
    isLiveIsoCompared: medium.isLiveIsoCompared,
    isFleetSite: isSite,
    problems,
  };
}

/** Name of the regular file beside its receipt, `NAME.receipt.json`. */
function mediumBeside(receipt: string): string | undefined {
  const name = basename(receipt);
  if (!name.endsWith(`.${receiptName}`)) return undefined;
  const medium = name.slice(0, -receiptName.length - 1);
  return isReceiptPath(medium) && fileBelow(dirname(receipt), medium).kind === 'file' ? medium : undefined;
}

/**
 * The receipt of an ISO with another name, for example a copy: its contents must be those that the receipt lists, whether or not the file
 * of the listed name exists.
 */
function ofNamedMedium(read: ReadReceipt, name: string | undefined): ReadReceipt {
  const { receipt } = read;
  // The ISO is the first output.
  const [iso, ...others] = receipt.outputs;
  const isListed = receipt.outputs.some(({ path }) => path === name);
  if (name === undefined || iso === undefined || isListed || receipt.medium?.liveIso === undefined)
    return read;
  return { ...read, receipt: { ...receipt, outputs: [{ ...iso, path: name }, ...others] } };
}

/** Warnings: receipt/other-program. */
function programProblems({ file, receipt: { program }, placeOf }: ReadReceipt): readonly Problem[] {
  const at = { file, ...placeOf(['program', 'version']) };
  if (program.version !== programVersion) {
    const message = `the outputs were created by a version of sno-install other than ${programVersion}`;
    return [problem('receipt/other-program', message, { at })];
  }
  const own = buildId();
  return own === undefined || program.build === undefined || own === program.build
    ? []
    : [problem('receipt/other-program', 'the outputs were created by another build of this version', { at })];
}

/** The inputs that existed when a receipt was written. */
export function presentInputs({ receipt }: ReadReceipt): readonly string[] {
  return receipt.inputs.filter((input) => !('absent' in input)).map(({ path }) => path);
}
