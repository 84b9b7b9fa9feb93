import { isRecord } from '../../core/is-record.js';
import { problem } from '../../core/problem.js';
import { failure, problemsOf, success, type Result } from '../../core/result.js';
import { gunzip, gzip } from '../../formats/gzip.js';
import { parseJson } from '../../formats/json.js';
import { sha256 } from '../../formats/sha256.js';
import { decodeUtf8 } from '../../formats/utf8.js';
import { fieldAt, textAt } from '../../kube/fields.js';
import type { AssetFolder } from './asset-folder.js';

const archiveSource = 'openshift/etcd-snapshot/snapshot.db.gz';
const plainSource = 'openshift/etcd-snapshot/snapshot.db';
const descriptionSource = 'openshift/etcd-snapshot/snapshot.json';
const hostnameSource = 'openshift/bootstrap-in-place/hostname';

/** etcd's default limit for a database is 2 GiB. Source: etcd --quota-backend-bytes */
const maxSnapshotBytes = 2 * 1024 ** 3 - 1;

/**
 * Adds the outputs of the node's own step to a folder if they are missing: the compressed snapshot with its
 * hash in the description, and the host name. Existing files must be consistent. Problems: enrich/snapshot.
 */
export function withSnapshot(folder: AssetFolder): Result<AssetFolder> {
  const made = snapshotFiles(folder);
  if (!made.ok) return made;
  return success({
    ...folder,
    read: (source) => {
      const bytes = made.value.get(source);
      return bytes === undefined ? folder.read(source) : { kind: 'file', bytes };
    },
  });
}

type MadeFiles = ReadonlyMap<string, Uint8Array>;

function snapshotFiles(folder: AssetFolder): Result<MadeFiles> {
  const read = folder.read(descriptionSource);
  // Reading the list reports a missing description.
  if (read.kind !== 'file') return success(new Map());
  const description = parseJson(decodeUtf8(read.bytes) ?? '');
  const refuse = (fault: string): Result<never> => refusal(folder, descriptionSource, fault);
  if (!isRecord(description)) return refuse('the description of the snapshot is not a JSON object');
  const missing = neededByRestore.filter((path) => textAt(description, path) === undefined);
  if (missing.length > 0)
    return refuse(
      `the description of the snapshot does not contain ${missing.map((path) => path.join('.')).join(', ')}`,
    );
  const archive = folder.read(archiveSource);
  const snapshot =
    archive.kind === 'file' ? checkArchive(folder, description, archive.bytes) : pack(folder, description);
  const hostname = hostnameFile(folder, description);
  if (!snapshot.ok || !hostname.ok) return failure(...problemsOf(snapshot), ...problemsOf(hostname));
  return success(new Map([...snapshot.value, ...hostname.value]));
}

/** Fields that sno-etcd-restore.sh reads, except the hash, which is calculated from the snapshot. */
const neededByRestore = [
  ['member', 'name'],
  ['member', 'peerURL'],
  ['member', 'initialClusterToken'],
  ['snapshot', 'etcdImage'],
];

function checkArchive(folder: AssetFolder, description: object, archive: Uint8Array): Result<MadeFiles> {
  const unpacked = gunzip(archive, maxSnapshotBytes);
  if (unpacked === undefined) return refusal(folder, archiveSource, 'the snapshot cannot be unpacked');
  if (sha256(unpacked) !== recordedHash(description)) {
    return refusal(folder, archiveSource, 'the SHA-256 of the snapshot differs from that in its description');
  }
  return success(new Map());
}

/** Compresses a snapshot as the node does, and records its hash and size in the description. */
function pack(folder: AssetFolder, description: Readonly<Record<string, unknown>>): Result<MadeFiles> {
  const read = folder.read(plainSource);
  if (read.kind !== 'file') return success(new Map());
  if (!isSealed(read.bytes))
    return refusal(folder, plainSource, 'this is not an etcd snapshot, or it is damaged');
  const hash = sha256(read.bytes);
  if ((recordedHash(description) ?? hash) !== hash) {
    return refusal(folder, plainSource, 'the SHA-256 of the snapshot differs from that in its description');
  }
  const { snapshot } = description;
  const recorded = { ...(isRecord(snapshot) && snapshot), sha256: hash, sizeBytes: read.bytes.length };
  const text = `${JSON.stringify({ ...description, snapshot: recorded }, undefined, 2)}\n`;
  return success(
    new Map<string, Uint8Array>([
      [archiveSource, gzip(read.bytes)],
      [descriptionSource, Buffer.from(text)],
    ]),
  );
}

/** A snapshot is a database in whole sectors, followed by its SHA-256. Source: etcd etcdutl/snapshot/v3_snapshot.go, which rejects others. */
function isSealed(snapshot: Uint8Array): boolean {
  const end = snapshot.length - 32;
  return end > 0 && end % 512 === 0 && sha256(snapshot.subarray(0, end)) === hexOf(snapshot.subarray(end));
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The node's host name must be the one with which the etcd member was created. */
function hostnameFile(folder: AssetFolder, description: object): Result<MadeFiles> {
  const described = textAt(description, ['node', 'hostname']);
  const read = folder.read(hostnameSource);
  if (read.kind !== 'file') {
    if (described === undefined) return success(new Map());
    return success(new Map([[hostnameSource, Buffer.from(`${described}\n`)]]));
  }
  const isSame = described === undefined || decodeUtf8(read.bytes)?.trim() === described;
  return isSame
    ? success(new Map())
    : refusal(folder, hostnameSource, 'the host name is not that of the node the snapshot was taken on');
}

function recordedHash(description: object): unknown {
  return fieldAt(description, ['snapshot', 'sha256']) ?? undefined;
}

function refusal(folder: AssetFolder, source: string, fault: string): Result<never> {
  const file = folder.pathOf(source);
  return failure(problem('enrich/snapshot', fault, { at: { file } }));
}
