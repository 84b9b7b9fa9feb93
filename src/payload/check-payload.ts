import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { innerManifestText } from '../config/reading/payload-manifest.js';
import type { PayloadManifest } from '../config/schema/payload-schema.js';
import { imageRange, piecesOf, type DiskImage } from '../formats/disk-image.js';
import { squashfsFiles, SquashfsError } from '../formats/squashfs.js';
import { innerManifestName } from './compose-storage.js';
import { signatureTag } from '../release/image-policy.js';
import { readImageManifest, type Descriptor } from './image-manifest.js';
import {
  blobPath,
  layerLink,
  manifestLink,
  tagLinks,
  type Digest,
} from '../media/payload/registry-storage.js';

/** Effects of a check that reads a whole payload. */
export interface Checking {
  readonly stop: AbortSignal;
  /** Called with the number of bytes of each piece. */
  readonly onBytes: (bytes: number) => void;
}

/** SHA-256 in hex of an image. Lets signals through between its pieces. Rejects if it is stopped. */
export async function digestOf(image: DiskImage, { stop, onBytes }: Checking): Promise<string> {
  const hash = createHash('sha256');
  for (const piece of piecesOf(image)) {
    hash.update(piece);
    onBytes(piece.length);
    await nextTurn();
    stop.throwIfAborted();
  }
  return hash.digest('hex');
}

/** Why the file system of a payload does not have its SHA-256; undefined if it has. */
export async function fileSystemFault(
  image: DiskImage,
  { bytes, sha256 }: NonNullable<PayloadManifest['fileSystem']>,
  checking: Checking,
): Promise<string | undefined> {
  if (image.bytes < bytes) return 'it ends early';
  const found = await digestOf(imageRange(image, { offset: 0, length: bytes }), checking);
  return found === sha256 ? undefined : 'its file system does not have the SHA-256 of its manifest';
}

/**
 * The faults of a file system's contents: blobs without their hash, and images of the manifest that a registry could not
 * serve from it. Reads every blob.
 */
export async function contentFaults(
  image: DiskImage,
  manifest: PayloadManifest,
  checking: Checking,
): Promise<readonly string[]> {
  try {
    const contents = await readContents(image, manifest, checking);
    return [...contents.faults, ...manifest.images.flatMap((each) => imageFaults(each, manifest, contents))];
  } catch (error) {
    if (error instanceof SquashfsError) return [`its file system cannot be read: ${error.message}`];
    throw error;
  }
}

interface Contents {
  readonly paths: ReadonlySet<string>;
  /** The bytes of all manifests, by digest. */
  readonly manifests: ReadonlyMap<Digest, Buffer>;
  readonly faults: readonly string[];
}

/** Manifests have some kilobytes; the others with JSON are configurations. */
const maxKeptBytes = 4 * 1024 * 1024;
const blobFile = /^docker\/registry\/v2\/blobs\/sha256\/[0-9a-f]{2}\/([0-9a-f]{64})\/data$/;

async function readContents(
  image: DiskImage,
  manifest: PayloadManifest,
  { stop, onBytes }: Checking,
): Promise<Contents> {
  const [paths, manifests, faults] = [new Set<string>(), new Map<Digest, Buffer>(), [] as string[]];
  for (const { path, bytes, pieces } of squashfsFiles(image)) {
    paths.add(path);
    const [, hex] = blobFile.exec(path) ?? [];
    const isInner = path === innerManifestName;
    if (hex === undefined && !isInner) continue;
    const hash = createHash('sha256');
    const kept: Buffer[] = [];
    for (const piece of pieces()) {
      hash.update(piece);
      if (bytes <= maxKeptBytes) kept.push(piece);
      onBytes(piece.length);
      await nextTurn();
      stop.throwIfAborted();
    }
    const whole = Buffer.concat(kept);
    if (isInner) {
      if (whole.toString('utf8') !== innerManifestText(manifest))
        faults.push(`${path} is of another payload`);
    } else if (hex !== undefined) {
      const isWhole = hash.digest('hex') === hex;
      if (!isWhole) faults.push(`the blob sha256:${hex} does not have its hash`);
      // An object of JSON.
      else if (whole[0] === 0x7b) manifests.set(`sha256:${hex}`, whole);
    }
  }
  if (!paths.has(innerManifestName)) faults.push(`it has no ${innerManifestName}`);
  return { paths, manifests, faults };
}

/** Why a registry could not serve an image, or its signature. */
function imageFaults(
  { image, repository, digest, signature }: PayloadManifest['images'][number],
  { release }: PayloadManifest,
  { paths, manifests }: Contents,
): readonly string[] {
  const text = manifests.get(digest);
  const read = text && readImageManifest(text);
  if (read === undefined || !paths.has(manifestLink(repository, digest).path))
    return [`${image} has no manifest`];
  const inner = read.kind === 'list' ? read.of(release.architecture) : digest;
  const innerText = inner === undefined ? undefined : manifests.get(inner);
  const own = innerText && readImageManifest(innerText);
  if (inner === undefined || own?.kind !== 'image' || !paths.has(manifestLink(repository, inner).path))
    return [`${image} has no manifest for ${release.architecture}`];
  const hasBlob = (blob: Descriptor): boolean =>
    paths.has(blobPath(blob.digest)) && paths.has(layerLink(repository, blob.digest).path);
  const missing = [own.config, ...own.layers].filter((blob) => !hasBlob(blob));
  const faults = missing.map((blob) => `${image} has no blob ${blob.digest}`);
  if (signature === undefined) return faults;
  const signed = manifests.get(signature);
  const ofSignature = signed && readImageManifest(signed);
  const isTagged = tagLinks(repository, signatureTag(inner), signature).every(({ path }) => paths.has(path));
  const isWhole = ofSignature?.kind === 'image' && [ofSignature.config, ...ofSignature.layers].every(hasBlob);
  return isTagged && isWhole ? faults : [...faults, `${image} does not have its signature ${signature}`];
}
