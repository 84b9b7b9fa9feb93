import { imageInMemory, type Stretch } from '../../media/disk-image.js';
import { sha256 } from '../../formats/sha256.js';

/** A file that is given to machines, wherever its bytes are. */
export interface ServedFile {
  readonly bytes: number;
  /** A strong entity tag with its quotes: the same for the same bytes alone. */
  readonly etag: string;
  /** As a header names it. */
  readonly type: string;
  /**
   * Exactly so many bytes from an offset; undefined where the file is no longer as it was. `into` may be what they are read into, and is as
   * long or longer.
   */
  read(offset: number, length: number, into?: Buffer): Promise<Buffer | undefined>;
}

/** A part of a body: text of ours, or a stretch of the file. */
export type BodyPart = string | Stretch;

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
export const pieceBytes = 256 * 1024;

/** What virtual media ask for at once is seldom more. */
export const smallBytes = 64 * 1024;

/** Who is told of pieces, and has room for them. */
export interface Taker {
  readonly onPiece?: (piece: Stretch) => void;
  /** What the next piece may be read into, as soon as it is free. */
  readonly room?: () => Promise<Buffer>;
}

/** A body in pieces, each read when there is room for it; one whose file has changed ends early, as an error. */
export async function* bodyOf(
  file: ServedFile,
  parts: readonly BodyPart[],
  { onPiece, room }: Taker = {},
): AsyncGenerator<Buffer, void> {
  for (const part of parts) {
    if (typeof part === 'string') {
      yield Buffer.from(part);
      continue;
    }
    const end = part.offset + part.length;
    for (let offset = part.offset; offset < end; offset += pieceBytes) {
      const length = Math.min(pieceBytes, end - offset);
      const piece = await file.read(offset, length, await room?.());
      if (piece === undefined) throw new FileChanged();
      onPiece?.({ offset, length });
      yield piece;
    }
  }
}

/** Thrown in the middle of a body: the rest would not fit what went before. */
export class FileChanged extends Error {}
