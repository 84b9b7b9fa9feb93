import type { Problem } from '../../core/problem.js';
import { imageInMemory, type ByteRange } from '../../formats/disk-image.js';
import { sha256 } from '../../formats/sha256.js';

/** A file that the server can read by byte range, from disk or memory. */
export interface ServedFile {
  readonly bytes: number;
  /** A strong entity tag, including its quotes. Equal tags mean equal bytes. */
  readonly etag: string;
  /** The value of the `Content-Type` header. */
  readonly type: string;
  /**
   * Returns exactly `length` bytes from `offset`, or undefined if the file has changed. May read into `into`, which must be long
   * enough.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
}

/** The `Content-Type` of ISOs, kernels and initramfs images. */
export const binaryType = 'application/octet-stream';

/** Returns a strong entity tag from the parts that determine the content. */
export function entityTag(...madeOf: readonly string[]): string {
  return `"${sha256(madeOf.join('\n')).slice(0, 40)}"`;
}

export function servedBytes(bytes: Buffer, type = binaryType): ServedFile {
  const image = imageInMemory(bytes);
  return {
    bytes: bytes.length,
    etag: entityTag(sha256(bytes)),
    type,
    read: (offset, length) => Promise.resolve(image.read(offset, length)),
  };
}

/** Files one behind the other. The entity tag changes with each of them. */
export function concatenatedFiles(parts: readonly ServedFile[]): ServedFile {
  let end = 0;
  const placed = parts.map((part) => ({ part, from: end, to: (end += part.bytes) }));
  return {
    bytes: end,
    etag: entityTag(...parts.flatMap(({ etag, bytes }) => [etag, String(bytes)])),
    type: binaryType,
    read: async (offset, length, into) => {
      if (offset < 0 || length < 0 || offset + length > end) return undefined;
      const overlapping = placed.filter(({ from, to }) => from < offset + length && to > offset);
      const pieces: Buffer[] = [];
      for (const { part, from, to } of overlapping) {
        const start = Math.max(offset, from);
        const wanted = Math.min(offset + length, to) - start;
        // A piece that lies in one part needs no copy.
        const piece = await part.read(start - from, wanted, overlapping.length === 1 ? into : undefined);
        if (piece === undefined) return undefined;
        pieces.push(piece);
      }
      const [only] = pieces;
      return only !== undefined && pieces.length === 1 ? only : Buffer.concat(pieces);
    },
  };
}

/** Large enough for low overhead per read, small enough that the buffers of 500 concurrent readers fit into memory. */
const pieceBytes = 256 * 1024;

export interface BodyObserver {
  /** Called before each read; false aborts the response. */
  readonly mayGoOn?: (piece: ByteRange) => Promise<boolean>;
  /** Called after each read. */
  readonly onPiece?: (piece: ByteRange) => void;
  /** Called with the error if the file cannot be read to the end. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Reads a byte range piece by piece. Throws FileChanged, and NotAllowed if `mayGoOn` returns false. All pieces share one buffer,
 * because a new buffer per piece halves the speed of 8 MiB ranges. A piece is valid until the next one is requested.
 */
export async function* readPieces(
  file: ServedFile,
  part: ByteRange,
  { mayGoOn, onPiece, onFault }: BodyObserver,
): AsyncGenerator<Buffer, void> {
  const buffer = Buffer.allocUnsafeSlow(Math.min(pieceBytes, part.length));
  const end = part.offset + part.length;
  try {
    for (let offset = part.offset; offset < end; offset += pieceBytes) {
      const length = Math.min(pieceBytes, end - offset);
      if ((await mayGoOn?.({ offset, length })) === false) throw new NotAllowed();
      const bytes = await file.read(offset, length, buffer);
      if (bytes === undefined) throw new FileChanged();
      onPiece?.({ offset, length });
      yield bytes;
    }
  } catch (error) {
    if (!(error instanceof NotAllowed)) onFault(error);
    throw error;
  }
}

/** Thrown when `mayGoOn` aborts a response. */
class NotAllowed extends Error {}

/** Thrown in the middle of a body when the remaining bytes would not match those already sent. */
export class FileChanged extends Error {}

/** Thrown when the source of a file does not answer. A later request may succeed. */
export class SourceUnavailable extends Error {
  constructor(readonly problems: readonly Problem[]) {
    super('the source of the file does not answer');
  }
}
