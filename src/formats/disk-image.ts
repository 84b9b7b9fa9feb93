/** A file that is read where it is asked, such as an ISO of a gigabyte. */
export interface DiskImage {
  readonly bytes: number;
  /** Exactly so many bytes from an offset; undefined where the file has not that many. */
  read(offset: number, length: number): Buffer | undefined;
}

/** Bytes that take the place of others in an image. */
export interface Patch {
  readonly offset: number;
  readonly bytes: Buffer;
}

/** A stretch of an image, in bytes. */
export interface Stretch {
  readonly offset: number;
  readonly length: number;
}

/** The same image with some bytes in the place of others. */
export function patched(image: DiskImage, patches: readonly Patch[]): DiskImage {
  return {
    bytes: image.bytes,
    read: (offset, length) => {
      const bytes = image.read(offset, length);
      return bytes && patchedPiece(bytes, offset, patches);
    },
  };
}

/** What patches make of the bytes that stand at an offset; they are left as they are. */
export function patchedPiece(bytes: Buffer, offset: number, patches: readonly Patch[]): Buffer {
  const met = patches.filter(
    (patch) => patch.offset < offset + bytes.length && patch.offset + patch.bytes.length > offset,
  );
  if (met.length === 0) return bytes;
  const piece = Buffer.from(bytes);
  for (const patch of met) {
    const from = Math.max(offset, patch.offset);
    const to = Math.min(offset + bytes.length, patch.offset + patch.bytes.length);
    piece.set(patch.bytes.subarray(from - patch.offset, to - patch.offset), from - offset);
  }
  return piece;
}

/** A stretch of an image as an image of its own. */
export function partOf(image: DiskImage, { offset, length }: Stretch): DiskImage {
  return {
    bytes: length,
    read: (from, wanted) =>
      from < 0 || wanted < 0 || from + wanted > length ? undefined : image.read(offset + from, wanted),
  };
}

/** Images one behind the other as one. */
export function joined(parts: readonly DiskImage[]): DiskImage {
  let end = 0;
  const placed = parts.map((part) => ({ part, from: end, to: (end += part.bytes) }));
  return {
    bytes: end,
    read: (offset, length) => {
      if (offset < 0 || length < 0 || offset + length > end) return undefined;
      const met = placed.filter(({ from, to }) => from < offset + length && to > offset);
      const read = met.map(({ part, from, to }) => {
        const start = Math.max(offset, from);
        return part.read(start - from, Math.min(offset + length, to) - start);
      });
      const whole = read.filter((bytes) => bytes !== undefined);
      return whole.length === read.length ? Buffer.concat(whole) : undefined;
    },
  };
}

/** Bytes in memory as an image. */
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

/** An image in pieces of at most a mebibyte, in order; one that ends early ends them. */
export function* piecesOf(image: DiskImage): Generator<Buffer, void> {
  for (let offset = 0; offset < image.bytes; offset += chunkBytes) {
    const piece = image.read(offset, Math.min(chunkBytes, image.bytes - offset));
    if (piece === undefined) return;
    yield piece;
  }
}
