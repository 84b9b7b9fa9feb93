import {
  request as plainRequest,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestOptions,
} from 'node:http';
import { request as secureRequest } from 'node:https';

import { timeLimit } from '../../core/time-limit.js';
import { abortError, connectTo, type ConnectionSettings, type TlsConnection } from './connection.js';

export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
}

/** A complete response. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A response whose body is read piece by piece. */
export interface HttpStream {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Throws the error of the connection, also for a body that ends early or stands still. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the connection. */
  readonly close: () => void;
}

export interface ResponseLimits {
  readonly signal?: AbortSignal;
  /** Size of the body. */
  readonly maxBytes: number;
  /** The error for a longer body. Default: a body that is too long or incomplete counts as empty. */
  readonly tooLarge?: () => Error;
  /** The error for a body that ends early. Default: that of the connection. */
  readonly incomplete?: () => Error;
}

/**
 * Sends one request over the agent and reads the response. Does not follow redirects, so that credentials reach no other server.
 * Rejects with `tooLarge()`, the reason of the signal, or the error of the connection; see `connectionFailure`.
 */
export function sendHttp(
  request: HttpRequest,
  { agent, ...limits }: ResponseLimits & { readonly agent: Agent | undefined },
): Promise<HttpResponse> {
  return exchange(request, { ...(agent && { agent }) }, limits);
}

/** Like `sendHttp`, but opens a connection and closes it afterwards. */
export async function sendHttpOnce(
  request: HttpRequest,
  {
    way,
    signal,
    ...limits
  }: ResponseLimits & { readonly way: ConnectionSettings; readonly signal: AbortSignal },
): Promise<HttpResponse> {
  if (request.url.protocol === 'http:') return exchange(request, { agent: false }, { signal, ...limits });
  const socket = await connectTo(request.url, way, signal);
  try {
    return await exchange(request, { createConnection: () => socket }, { signal, ...limits });
  } finally {
    socket.destroy();
  }
}

/**
 * Sends one request and returns when the headers arrive. `signal` covers the whole response; `idleMs` the connection, and each wait for
 * data. Does not follow redirects. Rejects with the reason of the signal, or the error of the connection.
 */
export async function openHttp(
  { method, url, headers }: Omit<HttpRequest, 'body'>,
  {
    way,
    signal,
    idleMs,
  }: { readonly way: ConnectionSettings; readonly signal: AbortSignal; readonly idleMs: number },
): Promise<HttpStream> {
  const socket = url.protocol === 'http:' ? undefined : await connectWithin(idleMs, { url, way, signal });
  const start = socket === undefined ? plainRequest : secureRequest;
  return new Promise((resolve, reject) => {
    const clientRequest = start(url, {
      method,
      ...(socket === undefined ? { agent: false, lookup: way.lookup } : { createConnection: () => socket }),
      signal,
      headers: { ...headers, 'user-agent': 'sno-install' },
    });
    let received: IncomingMessage | undefined;
    clientRequest.setTimeout(idleMs, () => (received ?? clientRequest).destroy(idleError()));
    clientRequest.on('error', (error) => {
      reject(signal.aborted ? abortError(signal) : error);
    });
    clientRequest.once('upgrade', (_response, upgraded) => {
      upgraded.destroy();
      reject(new Error('the server switched protocols'));
    });
    clientRequest.once('response', (response) => {
      received = response;
      // The reader of the body gets the error. Without a reader it must not end the process.
      response.on('error', () => undefined);
      resolve({
        status: response.statusCode ?? 0,
        headers: response.headers,
        body: response,
        close: () => {
          response.destroy();
          socket?.destroy();
        },
      });
    });
    clientRequest.end();
  });
}

async function connectWithin(
  ms: number,
  { url, way, signal }: { readonly url: URL; readonly way: ConnectionSettings; readonly signal: AbortSignal },
): Promise<TlsConnection> {
  const limit = timeLimit(signal, ms);
  try {
    return await connectTo(url, way, limit.signal);
  } catch (error) {
    throw limit.signal.aborted && !signal.aborted ? idleError() : error;
  } finally {
    limit.release();
  }
}

/** Source of the code: nodejs.org/api/errors.html#common-system-errors */
function idleError(): Error {
  return Object.assign(new Error('no data'), { code: 'ETIMEDOUT' });
}

function exchange(
  { method, url, headers, body }: HttpRequest,
  connection: Pick<RequestOptions, 'agent' | 'createConnection'>,
  limits: ResponseLimits,
): Promise<HttpResponse> {
  const start = url.protocol === 'http:' ? plainRequest : secureRequest;
  const { signal } = limits;
  return new Promise((resolve, reject) => {
    const clientRequest = start(url, {
      method,
      ...connection,
      ...(signal && { signal }),
      headers: {
        ...headers,
        'user-agent': 'sno-install',
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
    });
    // A request that waits for a socket does not emit an error before it has one.
    signal?.addEventListener('abort', () => {
      reject(abortError(signal));
    });
    clientRequest.on('error', reject);
    // Otherwise a server that switches protocols ends the request without an event.
    clientRequest.once('upgrade', (response, socket) => {
      socket.destroy();
      resolve(responseWith(response, Buffer.alloc(0)));
    });
    clientRequest.once('response', (response) => {
      readBody(response, limits).then((bytes) => {
        resolve(responseWith(response, bytes));
      }, reject);
    });
    clientRequest.end(body);
  });
}

function responseWith({ statusCode = 0, headers }: IncomingMessage, body: Buffer): HttpResponse {
  return { status: statusCode, headers, body };
}

/** Reads the whole body even if it is not needed: a server may stop its work when the client closes the connection. */
async function readBody(
  response: AsyncIterable<Uint8Array>,
  { maxBytes, tooLarge, incomplete }: ResponseLimits,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of response) {
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    if (tooLarge === undefined) return Buffer.alloc(0);
    throw incomplete?.() ?? error;
  }
  if (length <= maxBytes) return Buffer.concat(chunks);
  if (tooLarge !== undefined) throw tooLarge();
  return Buffer.alloc(0);
}
