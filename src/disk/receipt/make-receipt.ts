import { maskedArgument } from '../../core/quoted.js';
import type { OutputFile } from '../../core/output-file.js';
import { byCodeUnit, byName, byPath } from '../../core/compare.js';
import { mapRecord } from '../../core/map-record.js';
import { rfc3339 } from '../../core/rfc3339.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import type { ClusterName } from '../../graph/context.js';
import { textAt } from '../../kube/fields.js';
import { isGuessable, keyedHash } from './keyed-hash.js';
import {
  modeText,
  type Receipt,
  type ReceiptCluster,
  type ReceiptInput,
  type ReceiptOutput,
  type ReceiptProgram,
  type ReceiptSource,
} from './receipt.js';

export interface ReceiptOptions {
  readonly program: ReceiptProgram;
  readonly target: string;
  readonly cluster: ClusterName;
  readonly issued: Date;
  readonly environment: Readonly<Record<string, string>>;
  /** Files read below the folder; `bytes` is undefined for a missing file. */
  readonly inputs: readonly { readonly path: string; readonly bytes: Uint8Array | undefined }[];
  readonly inputFolders: readonly string[];
  /** Files read from other places. */
  readonly elsewhere: readonly { readonly name: string; readonly bytes: Uint8Array }[];
  readonly outputs: readonly OutputFile[];
  /** The output from which the HMAC key is derived: its stored name and plain contents. */
  readonly keyHolder: KeyHolder;
}

type KeyHolder = Pick<OutputFile, 'path' | 'contents'>;

export function makeReceipt({ cluster, issued, environment, ...order }: ReceiptOptions): Receipt {
  const { program, target, inputFolders, elsewhere, outputs, keyHolder } = order;
  const inputs: ReceiptInput[] = [];
  for (const { path, bytes } of order.inputs.toSorted(byPath)) {
    if (bytes !== undefined || !isInFolders(inputFolders, path)) inputs.push(inputOf(path, bytes, keyHolder));
  }
  return {
    program,
    target,
    cluster: withIds(cluster, outputs),
    issued: rfc3339(issued),
    environment: mapRecord(environment, maskedArgument),
    inputs,
    inputFolders: inputFolders.toSorted(byCodeUnit),
    sources: elsewhere.toSorted(byName).map(sourceOf),
    outputs: outputs.map(outputOf),
  };
}

/** Missing files within an input folder are not listed. */
function isInFolders(folders: readonly string[], path: string): boolean {
  return folders.some((folder) => path.startsWith(`${folder}/`));
}

function inputOf(path: string, bytes: Uint8Array | undefined, holder: KeyHolder): ReceiptInput {
  if (bytes === undefined) return { path, absent: true };
  if (!isGuessable(bytes)) return { path, bytes: bytes.length, sha256: sha256(bytes) };
  const hmacSha256 = keyedHash(Buffer.from(holder.contents), bytes);
  return { path, bytes: bytes.length, hmacSha256, keyedBy: holder.path };
}

/**
 * Omits the hash if it would allow guessing a secret. A keyed hash is not useful here, because sources are never checked again.
 */
function sourceOf({ name, bytes }: { readonly name: string; readonly bytes: Uint8Array }): ReceiptSource {
  return {
    name: maskedArgument(name),
    bytes: bytes.length,
    ...(!isGuessable(bytes) && { sha256: sha256(bytes) }),
  };
}

function outputOf({ path, contents, mode }: OutputFile): ReceiptOutput {
  return { path, bytes: Buffer.byteLength(contents), mode: modeText(mode), sha256: sha256(contents) };
}

/** Adds the generated IDs of the cluster from metadata.json; they are not secret. */
function withIds({ name, baseDomain }: ClusterName, outputs: readonly OutputFile[]): ReceiptCluster {
  const metadata = outputs.find(({ path }) => path === 'metadata.json');
  const value = metadata && parseJson(Buffer.from(metadata.contents).toString('utf8'));
  const [clusterID, infraID] = [textAt(value, ['clusterID']), textAt(value, ['infraID'])];
  return {
    name,
    baseDomain,
    ...(clusterID !== undefined && { clusterID }),
    ...(infraID !== undefined && { infraID }),
  };
}
