import { readPayloadManifest } from '../../config/reading/payload-manifest.js';
import type { WholePayloadManifest } from '../../config/schema/payload-schema.js';
import { problem, type Problem } from '../../core/problem.js';
import { failure, success, type Result } from '../../core/result.js';
import type { DiskImage } from '../../formats/disk-image.js';
import { checkedAs } from '../../formats/apply-schema.js';
import { parseJson } from '../../formats/json.js';
import { squashfsBytes } from '../../formats/squashfs.js';
import { findPayload } from './appended-payload.js';

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
  const trailer = readTrailer(image);
  if (trailer === undefined) {
    const hint = 'name a file that `sno-install create payload` wrote';
    return failure(problem('payload/not-a-payload', `${path} is no payload`, { hint }));
  }
  if ('fault' in trailer) return damaged(path, trailer.fault);
  const { text, start } = trailer;
  const read = readPayloadManifest(text, path);
  if (!read.ok) return read;
  const { fileSystem } = read.value;
  if (fileSystem?.bytes !== start)
    return damaged(path, 'its manifest describes a file system of another size');
  return success({ manifest: { ...read.value, fileSystem }, text });
}

/** Text of the manifest of the payload behind a live ISO, without a check of it; undefined if there is none. */
export function payloadTextBehind(medium: DiskImage): string | undefined {
  const payload = findPayload(medium);
  const trailer = payload && readTrailer(payload);
  return trailer && 'text' in trailer ? trailer.text : undefined;
}

/** A payload: the version of its release, and the SHA-256 of its file system in hex. */
export interface PayloadFacts {
  readonly release: string;
  readonly sha256: string;
}

interface ManifestFacts {
  readonly release?: { readonly version?: unknown };
  readonly fileSystem?: { readonly sha256?: unknown };
}

/** Reads the facts from the text of a manifest, without a check of its images. Undefined for any other text. */
export function payloadFacts(text: string): PayloadFacts | undefined {
  const { release, fileSystem } = checkedAs<ManifestFacts>(parseJson(text) ?? {});
  const [version, sha256] = [release?.version, fileSystem?.sha256];
  return typeof version === 'string' && typeof sha256 === 'string' ? { release: version, sha256 } : undefined;
}

type Trailer = { readonly start: number; readonly text: string } | { readonly fault: string };

/** Undefined if the image is no file system. */
function readTrailer(image: DiskImage): Trailer | undefined {
  const start = squashfsBytes(image);
  if (start === undefined) return undefined;
  const length = image.bytes - start;
  if (length < 0) return { fault: 'it ends early' };
  const isMissing = { fault: 'its manifest is missing' };
  if (length === 0) return isMissing;
  const trailer = image.read(start, Math.min(length, maxManifestBytes));
  if (trailer === undefined) return { fault: 'it ends early' };
  const end = trailer.indexOf(0);
  // A disk is longer than the payload.
  if (end === -1 && length > maxManifestBytes) return isMissing;
  const text = trailer.subarray(0, end === -1 ? undefined : end).toString('utf8');
  return text === '' ? isMissing : { start, text };
}

/** The padded manifest, as it lies behind the file system. */
export function manifestTrailer(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & (blockBytes - 1))]);
}

/** The way without an ISO that contains the payload. */
export const attachHint =
  'attach a disk with a partition named sno-payload that contains it, and add --no-payload';

/** A warning for an ISO without the payload of its site. */
export function notOnMedium(path: string): Problem {
  const message = `the ISO does not contain the payload, because ${path} does not exist`;
  const hint = `copy the payload there or add --payload FILE; or ${attachHint}`;
  return problem('payload/not-on-medium', message, { hint });
}

/** A payload that is damaged. */
export function damaged(path: string, fault: string): Result<never> {
  const hint = 'copy it again, or create it again with `sno-install create payload`';
  return failure(problem('payload/damaged', `${path} is damaged: ${fault}`, { hint }));
}
