import { pipeline } from 'node:stream/promises';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { answerTo } from './answer.js';
import { piecesOf, type BodyWatch, type ServedFile } from './served-file.js';

/** A request and its reply. */
export interface Exchange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
}

/** Answers a request for a file. Only the bytes that the client takes are read. */
export async function sendFile(
  file: ServedFile,
  { request, reply }: Exchange,
  watch: BodyWatch,
): Promise<FastifyReply> {
  const method = request.method === 'HEAD' ? 'HEAD' : 'GET';
  const { status, headers, body } = answerTo({ method, headers: request.headers }, file);
  if (body === undefined) return reply.code(status).headers(headers).send();
  const pieces = piecesOf(file, body, watch);
  // `onFault` has reported an error of the file already.
  const first = await pieces.next().catch(() => undefined);
  if (first === undefined) return notFound(reply);
  reply.hijack();
  reply.raw.writeHead(status, headers);
  // A piece is larger than the high-water mark of the response: the next is read when the one before has left the buffer.
  await pipeline(chained(first, pieces), reply.raw).catch(() => undefined);
  return reply;
}

async function* chained(
  first: IteratorResult<Buffer, void>,
  rest: AsyncGenerator<Buffer, void>,
): AsyncGenerator<Buffer, void> {
  if (first.done !== true) yield first.value;
  yield* rest;
}

/** The answer to everything that is not there, whatever the reason. */
export function notFound(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .headers({ 'cache-control': 'no-store' })
    .type('text/plain; charset=utf-8')
    .send('not found\n');
}
