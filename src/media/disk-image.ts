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
      for (const patch of bytes === undefined ? [] : patches) {
        const from = Math.max(offset, patch.offset);
        const to = Math.min(offset + length, patch.offset + patch.bytes.length);
        if (from < to)
          bytes?.set(patch.bytes.subarray(from - patch.offset, to - patch.offset), from - offset);
      }
      return bytes;
    },
  };
}
