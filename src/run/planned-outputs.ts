import type { OutputFile } from '../core/output-file.js';
import type { Problem } from '../core/problem.js';
import { planOutputs, type OutputPlan } from '../disk/outputs.js';
import { sealOutputs, type SealedOutputs } from '../disk/state/sealed-outputs.js';
import { isSealed, outputsToReseal } from '../disk/state/sealing.js';
import { encryptAge, type Seal } from '../formats/age.js';
import type { MadeTarget } from './make-target.js';
import {
  hasReceipt,
  receiptOf,
  signatureName,
  signatureOf,
  staleSignature,
  type ReceiptSigner,
} from './receipt-of-run.js';
import type { Target } from './target.js';
import { targets, type TargetName } from './targets.js';
import type { PreparedRun } from './unchanged-run.js';

interface Place {
  readonly dir: string;
  readonly target: TargetName;
  readonly program?: string;
  /** Signs the receipt. */
  readonly signer?: ReceiptSigner;
}

/** The part of a target in memory that a plan needs. */
type Planned = Pick<MadeTarget<never>, 'resolved' | 'cluster' | 'inputs' | 'inputRecord'>;

/** A plan, and the plain contents of the outputs that it encrypts. */
export type SealedPlan = OutputPlan &
  Pick<SealedOutputs, 'sealed' | 'plain'> & {
    /** Warnings about files that stay. */
    readonly warnings: readonly Problem[];
  };

type Encrypt = (contents: OutputFile['contents']) => Promise<string>;

/**
 * The changes for outputs, their receipt and its signature, which signs the bytes on the disk. Without `encrypt` only the problems are
 * usable. Problems: those of `planOutputs`.
 */
export async function plannedOutputs(
  place: Place,
  { state, own, seal, encryptsOutputs, clock, given }: PreparedRun,
  made: Planned,
  encrypt: Encrypt = () => Promise.resolve(''),
): Promise<SealedPlan> {
  const { dir, target } = place;
  const { owns }: Target = targets[target];
  const known =
    own !== undefined && isSealed(own, seal) ? (state.sealed ?? {}) : outputsToReseal(state.sealed);
  const {
    files: outputs,
    replaced,
    ...lying
  } = await sealOutputs(made.resolved.files, {
    dir,
    ...(encryptsOutputs && { encrypt }),
    earlier: { written: state.written, sealed: known },
  });
  const receipt = { ...place, ...made, issued: clock.now, environment: given, outputs, plain: lying.plain };
  const papers = hasReceipt(target)
    ? signedReceipt(receiptOf(receipt), { ...place, written: state.written })
    : [];
  const [paper] = papers;
  const warnings =
    paper === undefined || papers.length > 1 ? [] : staleSignature(paper, { dir, written: state.written });
  const plan = planOutputs(dir, [...outputs, ...papers], {
    written: state.written,
    // Removes the signature of an earlier receipt.
    owned: papers.length > 0 ? [...owns, signatureName] : owns,
    replaced,
  });
  const others = Object.entries(known).filter(([path]) => plan.written[path] !== undefined);
  return {
    ...plan,
    warnings,
    plain: lying.plain,
    sealed: { ...Object.fromEntries(others), ...lying.sealed },
  };
}

/** A receipt with its signature, if there is one. */
function signedReceipt(
  receipt: OutputFile,
  by: Pick<Place, 'dir' | 'signer'> & { readonly written: Readonly<Record<string, string>> },
): readonly OutputFile[] {
  const signature = signatureOf(receipt, by);
  return signature === undefined ? [receipt] : [receipt, signature];
}

/** Encrypts outputs like the state. */
export function encryptedFor(seal: Seal | undefined): Encrypt {
  return (contents) => {
    if (seal === undefined) throw new Error('internal error: no recipients to encrypt outputs for');
    return encryptAge(contents, seal);
  };
}
