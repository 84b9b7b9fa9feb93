import { basename, join } from 'node:path';

import { publicFile, type OutputFile } from '../core/output-file.js';
import { problem, type Problem } from '../core/problem.js';
import { programVersion } from '../core/program-version.js';
import { isInsidePath } from '../disk/inside-path.js';
import { readInput } from '../disk/read-inputs.js';
import { requestedPaths, parseRequestReference, type InputRecord } from '../disk/state/recorded-inputs.js';
import { sha256 } from '../formats/sha256.js';
import type { ClusterName, InputRead, Inputs, Reference } from '../graph/context.js';
import { sealedName } from '../disk/state/sealed-outputs.js';
import { makeReceipt, type ReceiptOptions } from '../review/receipt/make-receipt.js';
import { receiptName, serializeReceipt, signatureSuffix } from '../review/receipt/receipt.js';
import type { TargetName } from './targets.js';

/** Inputs and outputs of a run, for its receipt. */
export interface ReceiptRun {
  readonly target: TargetName;
  /** Path of the output whose private keys determine the key of hashes. */
  readonly receiptKey: string;
  /** Build of the program, if known. */
  readonly program?: string;
  readonly cluster: ClusterName;
  readonly issued: Date;
  readonly environment: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
  readonly inputRecord: InputRecord;
  /** With the bytes on the disk. */
  readonly outputs: readonly OutputFile[];
  /** Plain contents of encrypted outputs, by their names without the suffix. */
  readonly plain: ReadonlyMap<string, OutputFile['contents']>;
}

/** The receipt of a run as an additional output. */
export function receiptOf(made: ReceiptRun): OutputFile {
  const { target, program, cluster, issued, environment, outputs } = made;
  const receipt = makeReceipt({
    program: { version: programVersion, ...(program !== undefined && { build: program }) },
    target,
    cluster,
    issued,
    environment,
    ...inputsOf(made),
    outputs,
    keyHolder: keyHolderOf(made),
  });
  return publicFile(receiptName, serializeReceipt(receipt));
}

function keyHolderOf({ target, receiptKey, outputs, plain }: ReceiptRun): ReceiptOptions['keyHolder'] {
  const contents = plain.get(receiptKey);
  if (contents !== undefined) return { path: sealedName(receiptKey), contents };
  const holder = outputs.find(({ path }) => path === receiptKey);
  if (holder === undefined) throw new Error(`internal error: ${target} does not write its receiptKey`);
  return holder;
}

export interface ReceiptSigner {
  /** A signature in the format of `ssh-keygen -Y sign`; some key types give another one each time. */
  readonly sign: (receipt: Uint8Array) => string;
  /** Whether the text is a signature of the receipt by this key. */
  readonly isSigned: (receipt: Uint8Array, signature: string) => boolean;
}

/** File name of the receipt's signature. */
export const signatureName = `${receiptName}${signatureSuffix}`;

/**
 * The signature for a receipt. An existing one is kept if it is valid: without a signer, if it is ours and for these bytes; with a signer,
 * if it is by its key.
 */
export function signatureOf(
  { contents }: OutputFile,
  {
    dir,
    written,
    signer,
  }: {
    readonly dir: string;
    readonly written: Readonly<Record<string, string>>;
    readonly signer?: ReceiptSigner;
  },
): OutputFile | undefined {
  const bytes = Buffer.from(contents);
  const there = bytesOf(readInput(join(dir, signatureName), maxSignatureBytes));
  const text = there && Buffer.from(there).toString('utf8');
  const isOurs = there !== undefined && written[signatureName] === sha256(there);
  const holds =
    signer === undefined
      ? isOurs && written[receiptName] === sha256(bytes)
      : text !== undefined && signer.isSigned(bytes, text);
  if (holds && text !== undefined) return publicFile(signatureName, text);
  return signer && publicFile(signatureName, signer.sign(bytes));
}

/**
 * Warns of a signature that a run of ours did not write, next to a receipt that changes: it is kept but does not match the new receipt.
 * Warnings: receipt/stale-signature.
 */
export function staleSignature(
  { contents }: OutputFile,
  { dir, written }: { readonly dir: string; readonly written: Readonly<Record<string, string>> },
): readonly Problem[] {
  const [receipt, signature] = [receiptName, signatureName].map((name) =>
    bytesOf(readInput(join(dir, name), maxSignatureBytes)),
  );
  if (signature === undefined || written[signatureName] === sha256(signature)) return [];
  if (receipt !== undefined && Buffer.from(contents).equals(receipt)) return [];
  const message = `${signatureName} belongs to an earlier ${receiptName} and was kept, because sno-install did not create it`;
  const hint = 'sign the receipt again, or delete the signature';
  return [problem('receipt/stale-signature', message, { at: { file: signatureName }, hint })];
}

/** Whether the directory's receipt is signed by the requested key; true without a signer. */
export function isSignatureCurrent(dir: string, signer: ReceiptSigner | undefined): boolean {
  if (signer === undefined) return true;
  const [receipt, signature] = [receiptName, signatureName].map((name) =>
    bytesOf(readInput(join(dir, name), maxSignatureBytes)),
  );
  return (
    receipt !== undefined &&
    signature !== undefined &&
    signer.isSigned(receipt, Buffer.from(signature).toString('utf8'))
  );
}

/** Limit for receipts and signatures. */
const maxSignatureBytes = 1024 * 1024;

/** All files that the run read, except its own outputs. */
function inputsOf({
  inputs,
  inputRecord,
  outputs,
}: ReceiptRun): Pick<ReceiptOptions, 'inputs' | 'inputFolders' | 'elsewhere'> {
  const own = new Set(outputs.map(({ path }) => path));
  const read: ReadInput[] = [];
  for (const path of requestedPaths(inputRecord, 'read')) {
    if (!own.has(path)) read.push({ path, bytes: bytesOf(inputs.read(path)), isFile: true });
  }
  for (const question of Object.keys(inputRecord)) {
    const reference = parseRequestReference(question);
    if (reference !== undefined) read.push(referenced(reference, inputs));
  }
  return {
    inputs: read.filter(isBelow),
    // A path that may be a file or a folder was also read as a folder.
    inputFolders: requestedPaths(inputRecord, 'list').filter(
      (path) => !own.has(path) && isInsidePath(path) && bytesOf(inputs.read(path)) === undefined,
    ),
    elsewhere: read.flatMap((input) =>
      input.bytes === undefined || isBelow(input) ? [] : [{ name: basename(input.path), bytes: input.bytes }],
    ),
  };
}

interface ReadInput {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
  readonly isFile: boolean;
}

function isBelow({ path, isFile }: ReadInput): boolean {
  return isFile && isInsidePath(path);
}

/** A reference in a field: a file, an environment variable or stdin. */
function referenced(reference: Reference, inputs: Inputs): ReadInput {
  const { place } = reference;
  const bytes = bytesOf(inputs.readReference(reference));
  switch (place.kind) {
    case 'file':
      return { path: place.path, bytes, isFile: true };
    case 'variable':
      return { path: `env:${place.name}`, bytes, isFile: false };
    case 'stdin':
      return { path: '-', bytes, isFile: false };
  }
}

function bytesOf(read: InputRead): Uint8Array | undefined {
  return read.kind === 'file' ? read.bytes : undefined;
}
