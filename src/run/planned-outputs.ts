import { join } from 'node:path';

import type { OutputFile } from '../core/output-file.js';
import { problem, type Problem } from '../core/problem.js';
import { fileSize } from '../disk/file-size.js';
import { planOutputs, type OutputPlan } from '../disk/outputs.js';
import { openFile } from '../disk/state/open-state.js';
import { noAccess, type StateAccess } from '../disk/state/state-access.js';
import {
  plainName,
  sealedName,
  sealOutputs,
  type Decrypt,
  type SealedOutputs,
} from '../disk/state/sealed-outputs.js';
import { isSealed, outputsToReseal } from '../disk/state/sealing.js';
import { encryptAge, type Seal } from '../formats/age.js';
import type { MadeTarget } from './make-target.js';
import { receiptOf } from '../disk/receipt/receipt-of-run.js';
import {
  signatureName,
  signatureOf,
  staleSignature,
  type ReceiptSigner,
} from '../disk/receipt/receipt-signer.js';
import { targetAssets } from './target-assets.js';
import type { Target, TargetAssets } from './target.js';
import { bootConfigs, isIgnitionTarget, targets, type TargetName } from './targets.js';
import type { PreparedRun } from './unchanged-run.js';

interface Place {
  readonly dir: string;
  readonly target: TargetName;
  readonly program?: string;
  /** Signs the receipt. */
  readonly signer?: ReceiptSigner;
  /** Identities and passphrases of encrypted files. */
  readonly access?: StateAccess;
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
  const mustReseal = state.mustResealOutputs === true || own === undefined || !isSealed(own, seal);
  const known = mustReseal ? outputsToReseal(state.sealed) : (state.sealed ?? {});
  const {
    files: outputs,
    replaced,
    ...lying
  } = await sealOutputs(made.resolved.files, {
    dir,
    ...(encryptsOutputs && { encrypt }),
    earlier: { written: state.written, sealed: known },
    ...(!mustReseal && { decrypt: decryptedWith(place.access) }),
  });
  const { receiptKey }: TargetAssets = targetAssets[target];
  const receipt = { ...place, ...made, issued: clock.now, environment: given, outputs, plain: lying.plain };
  const papers =
    receiptKey === undefined
      ? []
      : signedReceipt(receiptOf({ ...receipt, receiptKey }), { ...place, written: state.written });
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
    problems: [...plan.problems, ...replacedCluster(place, state.written, plan)],
    warnings,
    plain: lying.plain,
    sealed: { ...Object.fromEntries(others), ...lying.sealed },
  };
}

/** Outputs of both targets with different contents. */
const sharedOutputs = ['auth/kubeconfig', 'auth/kubeadmin-password', 'metadata.json'];

/** Refuses a target that would replace the kubeconfig of another kind of cluster in the same directory. Problems: dir/kubeconfig-replaced. */
function replacedCluster(
  { dir, target }: Place,
  before: Readonly<Record<string, string>>,
  { changes, written: after }: Pick<OutputPlan, 'changes' | 'written'>,
): readonly Problem[] {
  const other = Object.entries(bootConfigs).find(
    ([name, file]) => name !== target && isIgnitionTarget(target) && isWritten(before, file),
  );
  const overwritten = changes
    .filter(({ path, change }) => change === 'written' && fileSize(join(dir, path)) !== undefined)
    .map(({ path }) => plainName(path));
  const replaced = sharedOutputs.filter(
    (path) => overwritten.includes(path) && isWritten(before, path) && isWritten(after, path),
  );
  if (other === undefined || replaced.length === 0) return [];
  const [name, file] = other;
  const message = `${replaced.join(', ')} of ${file} would be replaced by those of another cluster`;
  const hint = `use another directory, or move ${replaced.join(' and ')} away; \`create ${name}\` writes them again`;
  return [problem('dir/kubeconfig-replaced', message, { hint })];
}

/** Whether a file was written, plain or encrypted. */
function isWritten(written: Readonly<Record<string, string>>, path: string): boolean {
  return written[path] !== undefined || written[sealedName(path)] !== undefined;
}

/** A receipt with its signature, if there is one. */
function signedReceipt(
  receipt: OutputFile,
  by: Pick<Place, 'dir' | 'signer'> & { readonly written: Readonly<Record<string, string>> },
): readonly OutputFile[] {
  const signature = signatureOf(receipt, by);
  return signature === undefined ? [receipt] : [receipt, signature];
}

/** Decrypts an output that another copy of the directory wrote. Undefined if that fails. */
function decryptedWith(access: StateAccess = noAccess): Decrypt {
  return async (path, bytes) => {
    const opened = await openFile(bytes, path, access);
    return opened.ok ? opened.value : undefined;
  };
}

/** Encrypts outputs like the state. */
export function encryptedFor(seal: Seal | undefined): Encrypt {
  return (contents) => {
    if (seal === undefined) throw new Error('internal error: no recipients to encrypt outputs for');
    return encryptAge(contents, seal);
  };
}
