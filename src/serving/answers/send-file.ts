import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Stretch } from '../../media/disk-image.js';
import { answerTo } from './answer.js';
import type { PieceBuffers } from './piece-buffers.js';
import { bodyOf, type BodyPart, type ServedFile } from './served-file.js';
import { bodyWriter, ClientGone } from './write-body.js';

/** A request and what is answered. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** What a body is read into, and who is told what becomes of it. */
export interface BodyWatch {
  readonly buffers: PieceBuffers;
  /** Of each stretch of the file that was taken. */
  readonly onPiece?: (piece: Stretch) => void;
  /** Of why it ends before its end, other than by the client. */
  readonly onFault: (error: unknown) => void;
}

/** Answers a request for a file, of which only what is taken is read. */
export async function sendFile(
  file: ServedFile,
  { request, reply }: Exchange,
  { buffers, onPiece, onFault }: BodyWatch,
): Promise<FastifyReply> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { status, headers, parts } = answerTo({ method, headers: request.headers }, file);
  if (parts.length === 0) return reply.code(status).headers(headers).send();
  const { raw } = reply;
  const { room, write } = bodyWriter(raw, { bytes: longestOf(parts), buffers });
  const body = bodyOf(file, parts, { room, ...(onPiece && { onPiece }) });
  try {
    // What cannot be begun gets another answer.
    const first = await body.next();
    reply.hijack();
    raw.writeHead(status, headers);
    if (first.done !== true) write(first.value);
    for await (const piece of body) write(piece);
    raw.end();
  } catch (error) {
    if (!(error instanceof ClientGone)) onFault(error);
    if (!raw.headersSent) throw new ToldError('the body could not be begun', { cause: error });
    raw.destroy();
  }
  return reply;
}

/** How many bytes the longest stretch has. */
function longestOf(parts: readonly BodyPart[]): number {
  return Math.max(...parts.map((part) => (typeof part === 'string' ? 0 : part.length)));
}

/** Something that was told already. */
export class ToldError extends Error {}

/** The answer to everything that is not there, whatever the reason. */
export function notFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('not found\n');
}
