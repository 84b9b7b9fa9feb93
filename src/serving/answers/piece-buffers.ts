import { pieceBytes, smallBytes } from './served-file.js';

/** Buffers that pieces are read into, which one answer has after the other. */
export interface PieceBuffers {
  /** One with room for so many bytes, or for a piece, whichever is less; what is in it is what was read last. */
  take(bytes: number): Buffer;
  /** Takes one back that nobody reads into or sends from any more. */
  giveBack(buffer: Buffer): void;
}

/** How many of one size wait for answers: 8 MB in all. */
const mostKept = 24;

/**
 * None yet. A buffer for each answer would be garbage after it, of which Node.js counts every byte: after some thousands of small answers
 * it looks through its whole heap.
 */
export function pieceBuffers(): PieceBuffers {
  const kept = new Map<number, Buffer[]>([smallBytes, pieceBytes].map((bytes) => [bytes, []]));
  return {
    take: (bytes) => {
      const size = bytes <= smallBytes ? smallBytes : pieceBytes;
      return kept.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
    },
    giveBack: (buffer) => {
      const others = kept.get(buffer.length);
      if (others !== undefined && others.length < mostKept) others.push(buffer);
    },
  };
}
