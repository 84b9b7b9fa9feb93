import { byCodeUnit } from '../../core/compare.js';
import type { ClusterName } from '../../graph/context.js';
import { orderedMedium, type ReceiptMedium } from './receipt-medium.js';

/** The name in an output directory. Commands that search a folder also accept `NAME.receipt.json`. */
export const receiptName = 'receipt.json';

/** The suffix of a signature file, as `ssh-keygen -Y sign` names it. */
export const signatureSuffix = '.sig';

/** The namespace of a signature: `ssh-keygen -Y sign -n`. */
export const signatureNamespace = 'sno-install-receipt';

/** Records the outputs, their inputs and the program, for a later check. Contains no secret. */
export interface Receipt {
  readonly program: ReceiptProgram;
  /** The argument of `create`. */
  readonly target: string;
  readonly cluster: ReceiptCluster;
  /** RFC 3339: the clock of the state, used as the issue time of certificates. */
  readonly issued: string;
  /** Environment variables and options that are inputs. Values that may be secret are masked as `…`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly inputs: readonly ReceiptInput[];
  /** Folders whose manifests are all inputs. */
  readonly inputFolders: readonly string[];
  /** Inputs outside of the folder, by name. They are not checked again. */
  readonly sources: readonly ReceiptSource[];
  readonly outputs: readonly ReceiptOutput[];
  /** Further inputs of a medium. */
  readonly medium?: ReceiptMedium;
}

export interface ReceiptProgram {
  readonly version: string;
  /** SHA-256 (hex) of the code and templates; absent if the program runs without a build. */
  readonly build?: string;
}

/** The cluster with its generated IDs, which are created together with its keys. */
export interface ReceiptCluster extends ClusterName {
  readonly clusterID?: string;
  readonly infraID?: string;
}

/** An input by its path below the folder of the receipt: missing, or with its hash. */
export type ReceiptInput =
  | { readonly path: string; readonly absent: true }
  | { readonly path: string; readonly bytes: number; readonly sha256: string }
  /** A keyed hash, if a plain hash would allow guessing a secret in the file; see `keyed-hash.ts`. */
  | {
      readonly path: string;
      readonly bytes: number;
      readonly hmacSha256: string;
      /** The output from which the key is derived. */
      readonly keyedBy: string;
    };

/** An input outside of the folder. */
export interface ReceiptSource {
  readonly name: string;
  readonly bytes: number;
  /** Absent if it would allow guessing a secret. */
  readonly sha256?: string;
}

/** An output by its path below the folder of the receipt. */
export interface ReceiptOutput {
  readonly path: string;
  readonly bytes: number;
  /** Four octal digits. */
  readonly mode: string;
  readonly sha256: string;
}

export const receiptKind = {
  apiVersion: 'sno-install/v1alpha1',
  kind: 'Receipt',
} as const;

/** The canonical text of a receipt: members in this order, two spaces of indentation, a final newline. */
export function serializeReceipt(receipt: Receipt): string {
  const { program, target, cluster, issued, environment } = receipt;
  const { inputs, inputFolders, sources, outputs, medium } = receipt;
  const { name, baseDomain, clusterID, infraID } = cluster;
  const value = {
    ...receiptKind,
    program: {
      name: 'sno-install',
      version: program.version,
      ...(program.build !== undefined && { build: program.build }),
    },
    target,
    cluster: {
      name,
      baseDomain,
      ...(clusterID !== undefined && { clusterID }),
      ...(infraID !== undefined && { infraID }),
    },
    issued,
    environment: Object.fromEntries(Object.entries(environment).toSorted(byName)),
    inputs: inputs.map(inputText),
    inputFolders,
    sources: sources.map(({ sha256, ...source }) => ({
      name: source.name,
      bytes: source.bytes,
      ...(sha256 !== undefined && { sha256 }),
    })),
    outputs: outputs.map(({ path, bytes, mode, sha256 }) => ({ path, bytes, mode, sha256 })),
    ...(medium && { medium: orderedMedium(medium) }),
  };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function inputText(input: ReceiptInput): ReceiptInput {
  const { path } = input;
  if ('absent' in input) return { path, absent: true };
  if ('sha256' in input) return { path, bytes: input.bytes, sha256: input.sha256 };
  return { path, bytes: input.bytes, hmacSha256: input.hmacSha256, keyedBy: input.keyedBy };
}

function byName([left]: readonly [string, unknown], [right]: readonly [string, unknown]): number {
  return byCodeUnit(left, right);
}

/** Formats a mode as four octal digits. */
export function modeText(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
