import { readPayloadManifest } from '../../config/reading/payload-manifest.js';
import type { WholePayloadManifest } from '../../config/schema/payload-schema.js';
import { problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { squashfsBytes } from '../../formats/squashfs.js';

/** The manifest is padded with zeros to a multiple of it. */
const blockBytes = 4096;
/** A payload with 4,000 images has a manifest of about 1.2 MB. */
const maxManifestBytes = 16 * 1024 * 1024;

/** A payload: a read-only file system, and its manifest behind it. */
export interface PayloadFile {
  /** The manifest, whose `fileSystem` is set. */
  readonly manifest: WholePayloadManifest;
  /** Exact text of the manifest. */
  readonly text: string;
}

/** Reads the manifest of a payload. Does not read its images. Problems: payload/not-a-payload, payload/damaged, payload/manifest. */
export function readPayloadFile(image: DiskImage, path: string): Result<PayloadFile> {
  const start = squashfsBytes(image);
  if (start === undefined) {
    const hint = 'name a file that `sno-install create payload` wrote';
    return failure(problem('payload/not-a-payload', `${path} is no payload`, { hint }));
  }
  const length = image.bytes - start;
  if (length < 0) return damaged(path, 'it ends early');
  if (length === 0 || length > maxManifestBytes) return damaged(path, 'its manifest is missing');
  const trailer = image.read(start, length);
  if (trailer === undefined) return damaged(path, 'it ends early');
  const end = trailer.indexOf(0);
  const text = trailer.subarray(0, end === -1 ? undefined : end).toString('utf8');
  if (text === '') return damaged(path, 'its manifest is missing');
  const read = readPayloadManifest(text, path);
  if (!read.ok) return read;
  const { fileSystem } = read.value;
  if (fileSystem?.bytes !== start)
    return damaged(path, 'its manifest describes a file system of another size');
  return success({ manifest: { ...read.value, fileSystem }, text });
}

/** The padded manifest, as it lies behind the file system. */
export function manifestTrailer(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]);
}

/** A payload that is damaged. */
export function damaged(path: string, fault: string): Result<never> {
  const hint = 'copy it again, or create it again with `sno-install create payload`';
  return failure(problem('payload/damaged', `${path} is damaged: ${fault}`, { hint }));
}
