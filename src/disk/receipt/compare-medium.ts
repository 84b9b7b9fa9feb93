import { problem, type Problem } from '../../core/problem.js';
import { maskedArgument } from '../../core/quoted.js';
import { problemsOf } from '../../core/result.js';
import { isAge } from '../../formats/age.js';
import { sha256 } from '../../formats/sha256.js';
import { isIso } from '../../media/iso-volume.js';
import { readMedium } from '../../media/read-medium.js';
import { openImage } from '../image/image-file.js';
import type { ReceiptLiveIso } from './receipt-medium.js';
import { digestFile } from '../file-digest.js';
import { unreadableFile } from '../named-file.js';
import { sealedName } from '../state/sealed-outputs.js';
import { bytesBelow, fileBelow, hashOf } from './file-below.js';
import type { DecryptedFiles } from './decrypted-files.js';
import type { ReadReceipt } from './read-receipt.js';

/** Files to compare a medium with, in addition to those that its receipt lists. */
export interface MediumComparison {
  readonly opened: DecryptedFiles;
  /** Live ISO named on the command line; it must be the one in the receipt. */
  readonly liveIso?: string | undefined;
}

export interface ComparedMedium {
  readonly problems: readonly Problem[];
  /** False if the live ISO was not available, which is allowed. */
  readonly isLiveIsoCompared: boolean;
}

/**
 * Checks that a medium contains the current Ignition config and was made from the current live ISO. Missing files are not compared.
 * Problems: receipt/input-changed, receipt/odd-file; usage/unreadable-file for a live ISO named on the command line.
 */
export function compareMedium(folder: string, read: ReadReceipt, by: MediumComparison): ComparedMedium {
  const live = liveIsoProblems(folder, read, by.liveIso);
  return {
    problems: [...configProblems(folder, read, by), ...(live ?? [])],
    isLiveIsoCompared: live !== undefined,
  };
}

/** Why a machine would not boot from the ISOs that a receipt lists. Problems: those of media/*. */
export async function bootFaults(folder: string, { receipt }: ReadReceipt): Promise<readonly Problem[]> {
  if (receipt.medium?.liveIso === undefined) return [];
  const problems: Problem[] = [];
  for (const { path } of receipt.outputs) {
    const found = fileBelow(folder, path);
    const opened = found.kind === 'file' ? openImage('the output', found.real) : undefined;
    if (opened?.ok !== true) continue;
    const { image, close } = opened.value;
    if (isIso(image)) problems.push(...problemsOf(await readMedium(image)));
    close();
  }
  return problems;
}

function configProblems(
  folder: string,
  { file, receipt: { medium }, placeOf }: ReadReceipt,
  { opened }: MediumComparison,
): readonly Problem[] {
  const path = medium?.config.path;
  if (path === undefined) return [];
  const there = bytesBelow(folder, path) ?? opened.get(sealedName(path));
  if (there === undefined || isAge(there) || sha256(there) === medium?.config.sha256) return [];
  const message = `the medium contains a different Ignition config than ${maskedArgument(path)}, which is newer`;
  return [changed(message, { file, ...placeOf(['medium', 'config', 'sha256']) })];
}

/** Undefined if there is no live ISO to compare. */
function liveIsoProblems(
  folder: string,
  { file, receipt: { medium }, placeOf }: ReadReceipt,
  named: string | undefined,
): readonly Problem[] | undefined {
  const live = medium?.liveIso;
  if (live === undefined) return undefined;
  const at = { file, ...placeOf(['medium', 'liveIso', 'sha256']) };
  if (named !== undefined) return namedProblems(live, named, at);
  if (live.path === undefined) return undefined;
  const [shown, found] = [maskedArgument(live.path), fileBelow(folder, live.path)];
  if (found.kind === 'absent') return undefined;
  const hash = found.kind === 'odd' ? found : found.stats.size === live.bytes ? hashOf(found) : otherSize;
  if ('reason' in hash)
    return [problem('receipt/odd-file', `${shown} is not compared: ${hash.reason}`, { at })];
  return hash.sha256 === live.sha256 ? [] : [changed(`the live ISO ${shown} has changed`, at)];
}

/** Matches no hash: a file of another size differs without reading it. */
const otherSize = { sha256: '' } as const;

function namedProblems(
  live: ReceiptLiveIso,
  named: string,
  at: NonNullable<Problem['at']>,
): readonly Problem[] {
  const digest = digestFile(named);
  if (digest.kind !== 'file')
    return problemsOf(
      unreadableFile('--iso', named, digest.kind === 'absent' ? 'it does not exist' : digest.reason),
    );
  const message = `${maskedArgument(named)} is not the live ISO from which the medium was created (${maskedArgument(live.name)})`;
  return digest.sha256 === live.sha256 ? [] : [changed(message, at)];
}

function changed(message: string, at: NonNullable<Problem['at']>): Problem {
  const hint = 'create the medium again, or undo the change';
  return problem('receipt/input-changed', message, { at, hint });
}
