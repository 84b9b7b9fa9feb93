import { innerManifestText } from '../../config/reading/payload-manifest.js';
import type { WholePayloadManifest } from '../../config/schema/payload-schema.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import { openPayload } from '../../disk/payload/open-payload.js';
import type { ByteRange } from '../../formats/disk-image.js';
import { sha256 } from '../../formats/sha256.js';
import { payloadOffset } from '../../media/payload/appended-payload.js';
import { damaged } from '../../media/payload/payload-file.js';
import { binaryType, concatenatedFiles, entityTag, type ServedFile } from '../answers/served-file.js';
import { openShared, type SharedImage } from './shared-image.js';

/** A payload that all sites share. */
export interface BasePayload {
  readonly path: string;
  readonly manifest: WholePayloadManifest;
  readonly file: ServedFile;
}

/** The payload that the live config of a site names. */
export interface ExpectedPayload {
  /** File name. */
  readonly name: string;
  /** SHA-256 of the file system, and of the manifest inside it. */
  readonly sha256: string;
  readonly manifestSha256: string;
}

/** Opens a payload and checks all of its file system. Problems: those of `openPayload`, payload/damaged. */
export function openBasePayload(path: string): Result<BasePayload & { readonly close: () => void }> {
  const opened = openPayload('--payload', path);
  if (!opened.ok) return opened;
  const { manifest, close } = opened.value;
  close();
  const range = { offset: 0, length: manifest.fileSystem.bytes };
  const shared = openShared('--payload', path, range);
  if (!shared.ok) return shared;
  const payload = payloadIn(shared.value, { path, manifest, offset: 0 });
  if (!payload.ok) {
    shared.value.close();
    return payload;
  }
  return success({ ...payload.value, close: shared.value.close });
}

/** The payload in a file whose file system was hashed as `rangeSha256`. Problems: payload/damaged. */
export function payloadIn(
  shared: SharedImage,
  { path, manifest, offset }: Pick<BasePayload, 'path' | 'manifest'> & Pick<ByteRange, 'offset'>,
): Result<BasePayload> {
  if (shared.rangeSha256 !== manifest.fileSystem.sha256)
    return damaged(path, 'its file system has another SHA-256 than its manifest says');
  const bytes = shared.bytes - offset;
  const file: ServedFile = {
    bytes,
    etag: entityTag(shared.sha256, String(offset)),
    type: binaryType,
    read: (from, length, into) =>
      from + length > bytes ? Promise.resolve(undefined) : shared.read(offset + from, length, into),
  };
  return success({ path, manifest, file });
}

/** A live ISO with the payload behind it, like `withPayload`, without a copy. */
export function servedWithPayload(live: ServedFile, { file }: BasePayload): ServedFile {
  const gap = payloadOffset(live.bytes) - live.bytes;
  return concatenatedFiles([live, zeros(gap), file]);
}

function zeros(bytes: number): ServedFile {
  const read: ServedFile['read'] = (_offset, length) => Promise.resolve(Buffer.alloc(length));
  return { bytes, etag: entityTag('zeros', String(bytes)), type: binaryType, read };
}

/** Whether a payload is the one of a site. */
export function isExpected({ manifest }: BasePayload, expected: ExpectedPayload): boolean {
  return (
    manifest.fileSystem.sha256 === expected.sha256 &&
    sha256(innerManifestText(manifest)) === expected.manifestSha256
  );
}

/** A payload in words: the release and the first digits of the SHA-256. */
export function payloadWords({ release, fileSystem }: WholePayloadManifest): string {
  return `payload ${release.version} (${shortHash(fileSystem.sha256)})`;
}

export function shortHash(hex: string): string {
  return hex.slice(0, 12);
}

/** A site whose payload is another than that of the server. Problems: payload/other. */
export function otherPayload(
  site: string,
  { path, manifest }: BasePayload,
  expected: ExpectedPayload,
): Result<never> {
  const message = `${site} installs from ${expected.name} (${shortHash(expected.sha256)}), and the server has ${path}, ${payloadWords(manifest)}`;
  const hint = `start the server with --payload ${expected.name}, or set payload.file of the site and create it again`;
  return failure(problem('payload/other', message, { hint }));
}
