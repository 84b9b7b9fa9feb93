import { createHash } from 'node:crypto';

import { patchedPiece, piecesOf, type DiskImage, type Patch } from '../../formats/disk-image.js';

/** SHA-256 in hex of an image before and after patching. */
export interface ImageDigests {
  readonly before: string;
  readonly after: string;
}

/** A written image. */
export interface WrittenImage extends ImageDigests {
  /** Set if the copy shares its blocks with the original, apart from the patches. */
  readonly sharesBlocks?: true;
}

/** Reads an image once, in order, and passes on each unpatched piece. Throws if the image ends early. */
export function digestImage(
  image: DiskImage,
  patches: readonly Patch[],
  take: (piece: Buffer) => void = () => undefined,
): ImageDigests {
  const [before, after] = [createHash('sha256'), createHash('sha256')];
  let offset = 0;
  for (const piece of piecesOf(image)) {
    before.update(piece);
    after.update(patchedPiece(piece, offset, patches));
    take(piece);
    offset += piece.length;
  }
  if (offset !== image.bytes) throw new Error('the image ended early');
  return { before: before.digest('hex'), after: after.digest('hex') };
}
