import type { PieceBuffers } from './piece-buffers.js';

/** Pieces of one answer that are read or under way: while one is encrypted and sent, the next is read. */
const mostPieces = 3;

/** What of an answer, as Node.js writes it, takes a body. */
export interface BodyTaker {
  readonly destroyed: boolean;
  once(event: 'close', then: () => void): unknown;
  write(piece: Buffer, then: (error?: Error | null) => void): unknown;
}

/** An answer that takes pieces as they are read. */
export interface BodyWriter {
  /** What the next piece may be read into: as soon as one before it was sent. Rejects when the client has gone. */
  readonly room: () => Promise<Buffer>;
  readonly write: (piece: Buffer) => void;
}

/** Why nothing more is read for a client that has gone. */
export class ClientGone extends Error {}

/**
 * Writes what lies in few buffers, which are used again as soon as they were sent: the system takes as long to give another one as to fill
 * it. `bytes` is how many the longest stretch has. Other answers get the buffers once this one has ended; not those of which nobody
 * said that they were sent.
 */
export function bodyWriter(
  raw: BodyTaker,
  { bytes, buffers }: { readonly bytes: number; readonly buffers: PieceBuffers },
): BodyWriter {
  // Who went before this was made is heard of no more.
  let [made, isGone] = [0, raw.destroyed];
  const free: Buffer[] = [];
  let wake = (): void => undefined;
  /** Read into, and not yet written. */
  const awaited: Buffer[] = [];
  const another = (): Buffer => {
    made += 1;
    return buffers.take(bytes);
  };
  const gone = (): void => {
    isGone = true;
    for (const buffer of free.splice(0)) buffers.giveBack(buffer);
    wake();
  };
  const sent = (buffer: Buffer): void => {
    if (isGone) buffers.giveBack(buffer);
    else free.push(buffer);
  };
  raw.once('close', gone);
  return {
    room: async () => {
      while (free.length === 0 && made === mostPieces && !isGone)
        await new Promise<void>((resolve) => (wake = resolve));
      if (isGone) throw new ClientGone();
      const buffer = free.pop() ?? another();
      awaited.push(buffer);
      return buffer;
    },
    write: (piece) => {
      const used = awaited.splice(0);
      raw.write(piece, (error) => {
        if (error) gone();
        else {
          used.forEach(sent);
          wake();
        }
      });
    },
  };
}
