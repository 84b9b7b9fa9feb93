import { type ConnectionActivity, connectionActivity } from './answers/connection-activity.js';
import { type Connection, networkOf } from './answers/connections.js';
import { type RateLimit, rateLimit } from './answers/rate-limit.js';
import type { Exchange } from './answers/send-file.js';
import type { AccessLogEntry } from './answers/access-log.js';
import { type OneDownload, oneDownload } from './one-download.js';
import type { ServerOptions } from './server-options.js';

/** Applies rate limits, timeouts and logging to every request. */
export interface RequestGuard {
  /** Starts tracking a response. Returns false if it has already answered 429. */
  readonly enter: (exchange: Exchange) => boolean;
  /** The log name of each request, without its token. */
  readonly logNames: WeakMap<object, string>;
  /** Answers and logs bytes that are not an HTTP request. Counts them as a request. */
  readonly refuse: (error: Error & { readonly code?: string }, socket: Connection) => void;
  /** Answers and logs a CONNECT request. Node.js passes only its socket. */
  readonly refuseTunnel: (socket: Connection) => void;
  /** Tracks a new connection. */
  readonly open: (connection: Connection) => void;
  readonly once?: OneDownload;
}

export function requestGuard({ limits, sites, isOnce, now, log }: ServerOptions): RequestGuard {
  const isGranted = clientLimit(limits.requestsPerSecond);
  // A client may take `headMs` for the TLS handshake and `headMs` again for the request head.
  const underWay = connectionActivity(Math.max(limits.idleMs, 2 * limits.headMs));
  const logNames = new WeakMap<object, string>();
  const once = isOnce ? oneDownload(sites) : undefined;
  const refused = (
    socket: Connection,
    { method, status }: Pick<AccessLogEntry, 'method' | 'status'>,
  ): void => {
    const [at, client] = [now(), socket.remoteAddress ?? ''];
    isGranted(client, at.getTime());
    log({ at, client, method, status, sentBytes: 0, tookMs: 0, isCut: true });
  };
  return {
    logNames,
    ...(once && { once }),
    enter: ({ request, reply }) => {
      const what = (): string | undefined => logNames.get(request);
      underWay.start({ request, reply });
      watchAnswer({ request, reply }, { now, log, what, totalMs: limits.totalMs });
      once?.onRequest(request.raw.socket);
      if (isGranted(request.ip, now().getTime())) return true;
      reply.code(429).header('retry-after', '1').type('text/plain').send('too many requests\n');
      return false;
    },
    refuse: (error, socket) => {
      const status = answerUnreadable(error, socket, underWay);
      if (status !== undefined) refused(socket, { method: '?', status });
    },
    refuseTunnel: (socket) => {
      // Node.js has removed its own error listener.
      socket.on('error', () => socket.destroy());
      endWith(socket, '405 Method Not Allowed');
      refused(socket, { method: 'CONNECT', status: 405 });
    },
    open: (connection) => {
      underWay.open(connection);
    },
  };
}

/** Returns whether a client may send another request. The addresses of one IPv6 /64 share ten times the limit of one address. */
function clientLimit(perSecond: number): RateLimit {
  const [ofClient, ofNetwork] = [rateLimit(perSecond), rateLimit(10 * perSecond)];
  return (client, nowMs) => {
    const network = networkOf(client);
    return ofClient(client, nowMs) && (network === undefined || ofNetwork(network, nowMs));
  };
}

/** Status by error code of Node.js (RFC 9110, RFC 6585); 400 for all other codes. */
const statuses: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Answers bytes that are not a request, or that arrived too late, and closes the connection. Returns the status for the log, or
 * undefined if the client has gone. While a response is in progress, nothing is written, because it would become part of that
 * response's body; the connection is only closed.
 */
function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Connection,
  answering: Pick<ConnectionActivity, 'has'>,
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const [status, reason] = statuses[error.code ?? ''] ?? [400, 'Bad Request'];
  if (answering.has(socket)) socket.destroy();
  else endWith(socket, `${status} ${reason}`);
  return status;
}

/** Enough time for a client to read the response. */
const lingerMs = 1000;

/** Sends a final response and closes the connection, even if the client continues to send or does not read. */
function endWith(socket: Connection, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const late = setTimeout(() => {
    socket.destroy();
  }, lingerMs);
  socket.once('close', () => {
    clearTimeout(late);
  });
}

interface AnswerWatch {
  readonly now: () => Date;
  readonly totalMs: number;
  readonly log: (answered: AccessLogEntry) => void;
  /** The log name of the request; undefined until it is known. */
  readonly what: () => string | undefined;
}

/** Logs a response when it ends. Closes the connection of a response that exceeds `totalMs`. */
function watchAnswer({ request, reply }: Exchange, { now, totalMs, log, what }: AnswerWatch): void {
  const [at, { raw }] = [now(), reply];
  const { socket } = request.raw;
  const sentBefore = socket.bytesWritten;
  const late = setTimeout(() => {
    socket.destroy();
  }, totalMs);
  let isLogged = false;
  const onClosed = (): void => {
    if (isLogged) return;
    isLogged = true;
    clearTimeout(late);
    socket.off('close', onClosed);
    const named = what();
    log({
      at,
      client: request.ip,
      method: request.method,
      ...(named !== undefined && { what: named }),
      status: raw.statusCode,
      sentBytes: socket.bytesWritten - sentBefore,
      tookMs: now().getTime() - at.getTime(),
      isCut: !raw.writableFinished,
    });
  };
  raw.once('close', onClosed);
  // A response that is queued behind another emits no `close` when the client disconnects. Each pipelined request adds a
  // listener.
  socket.setMaxListeners(0).once('close', onClosed);
}
