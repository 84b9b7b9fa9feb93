import { imageInMemory, type Stretch } from '../../formats/disk-image.js';
import { sha256 } from '../../formats/sha256.js';

/** A file that is given to machines, wherever its bytes are. */
export interface ServedFile {
  readonly bytes: number;
  /** A strong entity tag with its quotes: the same for the same bytes alone. */
  readonly etag: string;
  /** As a header names it. */
  readonly type: string;
  /** Exactly `length` bytes from an offset; undefined if the file has changed. They may be read into `into`, which is long enough. */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
}

/** Media and images. */
export const binaryType = 'application/octet-stream';

/** A strong entity tag of what a file is made of. */
export function entityTag(...madeOf: readonly string[]): string {
  return `"${sha256(madeOf.join('\n')).slice(0, 40)}"`;
}

/** Bytes in memory as a file. */
export function servedBytes(bytes: Buffer, type = binaryType): ServedFile {
  const image = imageInMemory(bytes);
  return {
    bytes: bytes.length,
    etag: entityTag(sha256(bytes)),
    type,
    read: (offset, length) => Promise.resolve(image.read(offset, length)),
  };
}

/** Large enough that the reading costs little, small enough that five hundred readers fit into memory. */
const pieceBytes = 256 * 1024;

export interface BodyWatch {
  /** Called before each piece is read; false stops the answer. */
  readonly mayGoOn?: (piece: Stretch) => Promise<boolean>;
  /** Called for each piece that was read. */
  readonly onPiece?: (piece: Stretch) => void;
  /** Called with the error if the file cannot be read to its end. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Reads a part of a file piece by piece. Throws FileChanged, and where `mayGoOn` stops it. All pieces may share one buffer, since a fresh one for each halves the speed of
 * ranges of 8 MiB: a piece is valid until the next one is asked for.
 */
export async function* piecesOf(
  file: ServedFile,
  part: Stretch,
  { mayGoOn, onPiece, onFault }: BodyWatch,
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

/** Thrown where an answer is stopped: the client may not have the rest. */
class NotAllowed extends Error {}

/** Thrown in the middle of a body: the rest would not fit what went before. */
export class FileChanged extends Error {}
