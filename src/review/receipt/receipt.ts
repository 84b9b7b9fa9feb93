import { byCodeUnit } from '../../core/compare.js';
import type { ClusterName } from '../../graph/context.js';
import { mediumText, type ReceiptMedium } from './receipt-medium.js';

/** What a receipt is called beside the outputs of `create`; one that was given a name before it is found in a folder, too. */
export const receiptName = 'receipt.json';

/** What the signature of a receipt is called beside it, as `ssh-keygen -Y sign` names it. */
export const signatureSuffix = '.sig';

/** What a signature of a receipt is for: `ssh-keygen -Y sign -n`. */
export const signatureNamespace = 'sno-install-receipt';

/** What was made from what, by which program: enough to tell later that all of it is still so, and no secret. */
export interface Receipt {
  readonly program: ReceiptProgram;
  /** As it stands behind `create`. */
  readonly target: string;
  readonly cluster: ReceiptCluster;
  /** RFC 3339: the clock of the state, at which certificates are issued. */
  readonly issued: string;
  /** Environment variables and options that were inputs; what may be a secret stands as `…`. */
  readonly environment: Readonly<Record<string, string>>;
  readonly inputs: readonly ReceiptInput[];
  /** Folders all of whose manifests are inputs. */
  readonly inputFolders: readonly string[];
  /** Inputs that lie elsewhere, by name alone: they are not looked for again. */
  readonly sources: readonly ReceiptSource[];
  readonly outputs: readonly ReceiptOutput[];
  /** Of a medium: what else it was made of. */
  readonly medium?: ReceiptMedium;
}

/** The program that made the outputs. */
export interface ReceiptProgram {
  readonly version: string;
  /** SHA-256 (hex) of its code and templates; absent where it ran without a build. */
  readonly build?: string;
}

/** The cluster, and which of its lives: the ids are drawn with its keys. */
export interface ReceiptCluster extends ClusterName {
  readonly clusterID?: string;
  readonly infraID?: string;
}

/** An input by its path below the folder of the receipt: one that was not there, or the hash of one that was. */
export type ReceiptInput =
  | { readonly path: string; readonly absent: true }
  | { readonly path: string; readonly bytes: number; readonly sha256: string }
  /** Of a file with a secret that a plain hash would let people find by trying; see `keyed-hash.ts`. */
  | {
      readonly path: string;
      readonly bytes: number;
      readonly hmacSha256: string;
      /** The output that the key is made of. */
      readonly keyedBy: string;
    };

/** An input that lies elsewhere. */
export interface ReceiptSource {
  readonly name: string;
  readonly bytes: number;
  /** Absent where it would let people find a secret by trying. */
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

/** What a receipt says that it is. */
export const receiptKind = {
  apiVersion: 'sno-install/v1alpha1',
  kind: 'Receipt',
} as const;

/** The one text of a receipt: members in this order, two spaces deep, a newline at the end. */
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
    ...(medium && { medium: mediumText(medium) }),
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

/** Permission bits as receipts tell them. */
export function modeText(mode: number): string {
  return mode.toString(8).padStart(4, '0');
}
