import { Readable } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Stretch } from '../../media/disk-image.js';
import { answerTo } from './answer.js';
import { bodyOf, type ServedFile } from './served-file.js';

/** A request and what is answered. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a request for a file, of which only what is taken is read; `onPiece` is told what was. */
export function sendFile(
  file: ServedFile,
  { request, reply }: Exchange,
  onPiece?: (piece: Stretch) => void,
): FastifyReply {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { status, headers, parts } = answerTo({ method, headers: request.headers }, file);
  reply.code(status).headers(headers);
  if (parts.length === 0) return reply.send();
  // One piece ahead of the one that the client takes.
  return reply.send(Readable.from(bodyOf(file, parts, onPiece), { objectMode: false, highWaterMark: 1 }));
}

/** The answer to everything that is not there, whatever the reason. */
export function notFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('not found\n');
}
