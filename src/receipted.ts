import { basename } from 'node:path';

import { publicFile, type OutputFile } from './core/output-file.js';
import { programVersion } from './core/program-version.js';
import { isInsidePath } from './disk/inside-path.js';
import type { InputRecord } from './disk/state/recorded-inputs.js';
import type { ClusterName, Inputs } from './graph/context.js';
import { makeReceipt, type ReceiptOrder } from './review/receipt/make-receipt.js';
import { receiptName, serializeReceipt } from './review/receipt/receipt.js';
import type { Target } from './target.js';
import { targets, type TargetName } from './targets.js';

/** What a run made of what, as its receipt tells it. */
export interface ReceiptedRun {
  readonly target: TargetName;
  /** Which build of the program it is, where it is one. */
  readonly program?: string;
  readonly cluster: ClusterName;
  readonly issued: Date;
  readonly environment: Readonly<Record<string, string>>;
  readonly inputs: Inputs;
  readonly inputRecord: InputRecord;
  readonly outputs: readonly OutputFile[];
}

/** Whether the outputs of a target come with a receipt: manifests are there to be edited, trees to be read. */
export function hasReceipt(target: TargetName): boolean {
  const { offer }: Target = targets[target];
  return offer.makes === 'ignition';
}

/** The receipt of a run, as one more of its outputs. */
export function receiptOf(made: ReceiptedRun): OutputFile {
  const { target, program, cluster, issued, environment, outputs } = made;
  const receipt = makeReceipt({
    program: { version: programVersion, ...(program !== undefined && { build: program }) },
    target,
    cluster,
    issued,
    environment,
    ...inputsOf(made),
    outputs,
  });
  return publicFile(receiptName, serializeReceipt(receipt));
}

/** What the run asked for, but for its own outputs. */
function inputsOf({
  inputs,
  inputRecord,
  outputs,
}: ReceiptedRun): Pick<ReceiptOrder, 'inputs' | 'inputFolders' | 'elsewhere'> {
  const own = new Set(outputs.map(({ path }) => path));
  const asked = (kind: string): readonly string[] =>
    Object.keys(inputRecord)
      .filter((question) => question.startsWith(`${kind} `))
      .map((question) => question.slice(kind.length + 1))
      .filter((path) => !own.has(path));
  const read = asked('read').map((path) => ({ path, bytes: bytesAt(inputs, path) }));
  return {
    inputs: read.filter(({ path }) => isInsidePath(path)),
    // A file that may be a folder too was asked for its entries.
    inputFolders: asked('list').filter((path) => isInsidePath(path) && bytesAt(inputs, path) === undefined),
    elsewhere: read.flatMap(({ path, bytes }) =>
      bytes === undefined || isInsidePath(path) ? [] : [{ name: basename(path), bytes }],
    ),
  };
}

function bytesAt(inputs: Inputs, path: string): Uint8Array | undefined {
  const read = inputs.read(path);
  return read.kind === 'file' ? read.bytes : undefined;
}
