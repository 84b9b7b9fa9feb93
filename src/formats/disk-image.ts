/** A file with random access, such as an ISO of a gigabyte. */
export interface DiskImage {
  readonly bytes: number;
  /** The file as the user named it; absent for parts of files and for images in memory. */
  readonly path?: string;
  /** Reads exactly `length` bytes; undefined beyond the end of the file. */
  read(offset: number, length: number): Buffer | undefined;
}

/** Bytes that replace others in an image. */
export interface Patch {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A byte range of an image. */
export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

/** Overlays patches on an image. */
export function patchedImage(image: DiskImage, patches: readonly Patch[]): DiskImage {
  return {
    bytes: image.bytes,
    read: (offset, length) => {
      const bytes = image.read(offset, length);
      return bytes && patchedPiece(bytes, offset, patches);
    },
  };
}

/** Applies patches to a copy of the bytes at an offset. */
export function patchedPiece(bytes: Buffer, offset: number, patches: readonly Patch[]): Buffer {
  const overlapping = patches.filter(
    (patch) => patch.offset < offset + bytes.length && patch.offset + patch.bytes.length > offset,
  );
  if (overlapping.length === 0) return bytes;
  const piece = Buffer.from(bytes);
  for (const patch of overlapping) {
    const from = Math.max(offset, patch.offset);
    const to = Math.min(offset + bytes.length, patch.offset + patch.bytes.length);
    piece.set(patch.bytes.subarray(from - patch.offset, to - patch.offset), from - offset);
  }
  return piece;
}

/** A view of a byte range as an image. */
export function imageRange(image: DiskImage, { offset, length }: ByteRange): DiskImage {
  return {
    bytes: length,
    read: (from, wanted) =>
      from < 0 || wanted < 0 || from + wanted > length ? undefined : image.read(offset + from, wanted),
  };
}

/** Whether a range of an image begins with zeros, as in an unfinished download of the full size. */
export function isBlankStart(image: DiskImage, { offset, length }: ByteRange): boolean {
  const start = image.read(offset, Math.min(length, 4096));
  return start?.every((byte) => byte === 0) === true;
}

/** Concatenates images. */
export function concatImages(parts: readonly DiskImage[]): DiskImage {
  let end = 0;
  const placed = parts.map((part) => ({ part, from: end, to: (end += part.bytes) }));
  return {
    bytes: end,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > end) return undefined;
      const overlapping = placed.filter(({ from, to }) => from < offset + length && to > offset);
      const read = overlapping.map(({ part, from, to }) => {
        const start = Math.max(offset, from);
        return part.read(start - from, Math.min(offset + length, to) - start);
      });
      const whole = read.filter((bytes) => bytes !== undefined);
      return whole.length === read.length ? Buffer.concat(whole) : undefined;
    },
  };
}

export function imageInMemory(bytes: Buffer): DiskImage {
  return {
    bytes: bytes.length,
    read: (offset, length) =>
      offset < 0 || length < 0 || offset + length > bytes.length
        ? undefined
        : Buffer.from(bytes.subarray(offset, offset + length)),
  };
}

const chunkBytes = 1024 * 1024;

/** Yields an image in order, in pieces of at most 1 MiB. Stops early if the image ends early. */
export function* piecesOf(image: DiskImage): Generator<Buffer, void> {
  for (let offset = 0; offset < image.bytes; offset += chunkBytes) {
    const piece = image.read(offset, Math.min(chunkBytes, image.bytes - offset));
    if (piece === undefined) return;
    yield piece;
  }
}
