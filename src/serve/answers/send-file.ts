import type { FastifyReply, FastifyRequest } from 'fastify';

import { rangeResponse } from './range-response.js';
import { readPieces, SourceUnavailable, type BodyObserver, type ServedFile } from './served-file.js';

export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Sends a file in response to a request. Reads each piece only after the client has accepted the previous one. */
export async function sendFile(
  file: ServedFile,
  { request, reply }: Exchange,
  watch: BodyObserver,
): Promise<FastifyReply> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { status, headers, body } = rangeResponse({ method, headers: request.headers }, file);
  if (body === undefined) return reply.code(status).headers(headers).send();
  const pieces = readPieces(file, body, watch);
  const { raw } = reply;
  // `readPieces` has already passed a read error to `onFault`.
  const first = await pieces.next().catch((error: unknown) => ({ error }));
  if ('error' in first) return failedAnswer(reply, first.error);
  reply.hijack();
  raw.writeHead(status, headers);
  try {
    if (first.done !== true) await writePiece(raw, first.value);
    for await (const piece of pieces) await writePiece(raw, piece);
    raw.end();
  } catch {
    raw.destroy();
  }
  return reply;
}

/**
 * Resolves when the socket has taken the piece, so its buffer can be reused. `stream.pipeline` would wait for `drain` instead,
 * which the response also emits while responses to pipelined requests are queued behind it.
 */
function writePiece(raw: FastifyReply['raw'], piece: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(piece, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

/** 503 if a later request may succeed, otherwise 404. */
export function failedAnswer(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof SourceUnavailable)) return notFound(reply);
  return reply
    .code(503)
    .headers({ 'cache-control': 'no-store', 'retry-after': '10' })
    .type('text/plain; charset=utf-8')
    .send('temporarily unavailable\n');
}

/** The reason in one line; the client has a valid token. */
export function refusedAnswer(
  reply: FastifyReply,
  { status, words }: { readonly status: number; readonly words: string },
): FastifyReply {
  return reply
    .code(status)
    .headers({ 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send(`this medium is refused: ${words}\n`);
}

/** The same 404 response for every reason, so that a client learns nothing from it. */
export function notFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('not found\n');
}
