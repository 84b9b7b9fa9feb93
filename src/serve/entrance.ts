import { type Answering, answering } from './answers/answering.js';
import { type Connection, networkOf } from './answers/connections.js';
import { type RateLimit, rateLimit } from './answers/rate-limit.js';
import type { Exchange } from './answers/send-file.js';
import type { Answered } from './answers/serve-log.js';
import { type OneDownload, oneDownload } from './one-download.js';
import type { ServerOrder } from './server-order.js';

/** Where every request comes in. */
export interface Entrance {
  /** Begins to watch an answer; false for who asks too often, and has been answered so. */
  readonly enter: (exchange: Exchange) => boolean;
  /** What a request was for, without its token. */
  readonly asked: WeakMap<object, string>;
  /** Answers and logs bytes that are no request; counted as if they were one. */
  readonly refuse: (error: Error & { readonly code?: string }, socket: Connection) => void;
  /** Answers and logs a CONNECT request, which Node.js hands over without an answer object. */
  readonly refuseTunnel: (socket: Connection) => void;
  /** Follows a new connection. */
  readonly open: (connection: Connection) => void;
  readonly once?: OneDownload;
}

/** The entrance of a server, with what it counts of each client. */
export function entranceOf({ limits, sites, isOnce, now, log }: ServerOrder): Entrance {
  const isGranted = clientLimit(limits.requestsPerSecond);
  // A client may take `headMs` for the handshake and again for the head.
  const underWay = answering(Math.max(limits.idleMs, 2 * limits.headMs));
  const asked = new WeakMap<object, string>();
  const once = isOnce ? oneDownload(sites) : undefined;
  const refused = (socket: Connection, { method, status }: Pick<Answered, 'method' | 'status'>): void => {
    const [at, client] = [now(), socket.remoteAddress ?? ''];
    isGranted(client, at.getTime());
    log({ at, client, method, status, sentBytes: 0, tookMs: 0, isCut: true });
  };
  return {
    asked,
    ...(once && { once }),
    enter: ({ request, reply }) => {
      const what = (): string | undefined => asked.get(request);
      underWay.begin({ request, reply });
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
      // Node.js has taken its own listener away.
      socket.on('error', () => socket.destroy());
      endWith(socket, '405 Method Not Allowed');
      refused(socket, { method: 'CONNECT', status: 405 });
    },
    open: (connection) => {
      underWay.open(connection);
    },
  };
}

/** Whether a client may have another answer. The addresses of one IPv6 /64 together have ten times the requests of one address. */
function clientLimit(perSecond: number): RateLimit {
  const [ofClient, ofNetwork] = [rateLimit(perSecond), rateLimit(10 * perSecond)];
  return (client, nowMs) => {
    const network = networkOf(client);
    return ofClient(client, nowMs) && (network === undefined || ofNetwork(network, nowMs));
  };
}

/** Statuses of RFC 9110 and RFC 6585 for what Node.js cannot read as a request, by its codes; any other is a bad request. */
const statuses: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Answers what is no request, or was not sent in time, and closes the connection; the status, or undefined for a client that has gone.
 * Where an answer is under way nothing is written, which would stand in its body: the connection is broken off, and the status for the log.
 */
function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Connection,
  answering: Pick<Answering, 'has'>,
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

/** A client that reads has its answer by then. */
const lingerMs = 1000;

/** Sends a last answer and frees the connection, whatever the client goes on to send and whether or not it reads. */
function endWith(socket: Connection, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  const late = setTimeout(() => {
    socket.destroy();
  }, lingerMs);
  socket.once('close', () => {
    clearTimeout(late);
  });
}

/** Who is told of an answer, and how long one may take. */
interface AnswerWatch {
  readonly now: () => Date;
  readonly totalMs: number;
  readonly log: (answered: Answered) => void;
  /** What was answered, once that is known. */
  readonly what: () => string | undefined;
}

/** Tells of an answer when it has ended, and ends one that takes too long together with its connection. */
function watchAnswer({ request, reply }: Exchange, { now, totalMs, log, what }: AnswerWatch): void {
  const [at, { raw }] = [now(), reply];
  const { socket } = request.raw;
  const sentBefore = socket.bytesWritten;
  const late = setTimeout(() => {
    socket.destroy();
  }, totalMs);
  let isLogged = false;
  const ended = (): void => {
    if (isLogged) return;
    isLogged = true;
    clearTimeout(late);
    socket.off('close', ended);
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
  raw.once('close', ended);
  // An answer that is queued behind another one emits no `close` when the client goes away. Each pipelined request adds a listener.
  socket.setMaxListeners(0).once('close', ended);
}
