import { basename } from 'node:path';

import { publicFile, type OutputFile } from '../../core/output-file.js';
import { programVersion } from '../../core/program-version.js';
import { isInsidePath } from '../inside-path.js';
import { requestedPaths, parseRequestReference, type InputRecord } from '../state/recorded-inputs.js';
import type { ClusterName, InputRead, Inputs, Reference } from '../../graph/context.js';
import { sealedName } from '../state/sealed-outputs.js';
import { makeReceipt, type ReceiptOptions } from './make-receipt.js';
import { receiptName, serializeReceipt } from './receipt.js';

/** Inputs and outputs of a run, for its receipt. */
export interface ReceiptRun {
  readonly target: string;
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
