import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { openForReading, openForWriting, type TargetWriter } from '../disk/payload/target-access.js';
import { reasonOf, systemErrorCode } from '../disk/system-error.js';
import { imageRange, piecesOf, type ByteRange, type DiskImage, type Patch } from '../formats/disk-image.js';

/** A device or file, with the contents that it gets. */
export interface Place {
  readonly path: string;
  readonly kind: 'device' | 'file';
  /** Size of the whole target. */
  readonly bytes: number;
  readonly partition: ByteRange;
  readonly table: readonly Patch[];
}

/** Effects of a copy. */
export interface Copying {
  readonly stop: AbortSignal;
  readonly onProgress: (step: 'checking' | 'writing' | 'reading back', done: number, total: number) => void;
}

export type Copied =
  | { readonly kind: 'copied'; readonly sha256: string; readonly isReadFromDisk: boolean }
  /** The payload does not have the SHA-256 of its manifest. */
  | { readonly kind: 'damaged' }
  /** The target returns other bytes than were written. */
  | { readonly kind: 'other-bytes' };

/** Bytes of the payload that are written last. */
const firstBytes = 4096;

/**
 * Copies a payload to a target and reads it back. The first bytes and the partition table come last, so that a copy that ends early
 * looks like no payload. Throws system errors of the target, and SourceError.
 */
export async function copyToTarget(
  place: Place,
  payload: {
    readonly image: DiskImage;
    readonly fileSystem: { readonly bytes: number; readonly sha256: string };
  },
  copying: Copying,
): Promise<Copied> {
  const { partition, table } = place;
  const source = sourceOf(payload.image);
  const first = source.read(0, firstBytes);
  if (first === undefined) return { kind: 'damaged' };
  const last = [{ offset: partition.offset, bytes: first }, ...table];
  // Opened once: a disk that takes the place of a removed one is not written.
  const writer = await openForWriting(place.path, place.kind);
  try {
    for (const { offset, bytes } of last) await writer.write({ offset, bytes: Buffer.alloc(bytes.length) });
    const written = { source, at: partition.offset, fileSystemBytes: payload.fileSystem.bytes };
    const hashes = await writeRest(writer, written, copying);
    if (hashes.fileSystem !== payload.fileSystem.sha256) return { kind: 'damaged' };
    const rest = { offset: partition.offset + firstBytes, length: source.bytes - firstBytes };
    const read = await readBack(place, { first, rest }, copying);
    if (read.sha256 !== hashes.whole) return { kind: 'other-bytes' };
    for (const patch of last) await writer.write(patch);
    await writer.flush();
    return isThere(place, last)
      ? { kind: 'copied', sha256: read.sha256, isReadFromDisk: read.isDirect }
      : { kind: 'other-bytes' };
  } finally {
    await writer.close();
  }
}

/** A fault of the payload, not of the target. */
export class SourceError extends Error {}

/** A payload whose faults are thrown as SourceError. */
export function sourceOf(image: DiskImage): DiskImage {
  return {
    bytes: image.bytes,
    read: (offset, length) => {
      try {
        return image.read(offset, length);
      } catch (error) {
        if (systemErrorCode(error) === undefined) throw error;
        throw new SourceError(reasonOf(error));
      }
    },
  };
}

interface Source {
  readonly source: DiskImage;
  /** Its place in the target. */
  readonly at: number;
  readonly fileSystemBytes: number;
}

/** Writes everything but the first bytes. Returns the SHA-256 of the source. */
async function writeRest(
  writer: TargetWriter,
  { source, at, fileSystemBytes }: Source,
  { stop, onProgress }: Copying,
): Promise<{ readonly fileSystem: string; readonly whole: string }> {
  const hash = createHash('sha256');
  let done = 0;
  const copy = async (range: ByteRange): Promise<void> => {
    for (const piece of piecesOf(imageRange(source, range))) {
      hash.update(piece);
      const kept = Math.max(0, firstBytes - done);
      await writer.write({ offset: at + done + kept, bytes: piece.subarray(kept) });
      done += piece.length;
      onProgress('writing', done, source.bytes);
      stop.throwIfAborted();
    }
  };
  await copy({ offset: 0, length: fileSystemBytes });
  const fileSystem = hash.copy().digest('hex');
  await copy({ offset: fileSystemBytes, length: source.bytes - fileSystemBytes });
  await writer.flush();
  return { fileSystem, whole: hash.digest('hex') };
}

/** SHA-256 of the first bytes and of the rest on the target. */
async function readBack(
  { path, bytes }: Place,
  { first, rest }: { readonly first: Buffer; readonly rest: ByteRange },
  { stop, onProgress }: Copying,
): Promise<{ readonly sha256: string; readonly isDirect: boolean }> {
  const { image, isDirect, close } = openForReading(path, bytes);
  const hash = createHash('sha256').update(first);
  let done = first.length;
  try {
    for (const piece of piecesOf(imageRange(image, rest))) {
      hash.update(piece);
      done += piece.length;
      onProgress('reading back', done, first.length + rest.length);
      await nextTurn();
      stop.throwIfAborted();
    }
    return { sha256: hash.digest('hex'), isDirect };
  } finally {
    close();
  }
}

function isThere({ path, bytes }: Place, patches: readonly Patch[]): boolean {
  const { image, close } = openForReading(path, bytes);
  try {
    return patches.every(
      (patch) => image.read(patch.offset, patch.bytes.length)?.equals(patch.bytes) === true,
    );
  } finally {
    close();
  }
}
