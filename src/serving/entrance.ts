import { answering } from './answers/answering.js';
import type { Connection } from './answers/connections.js';
import { rateLimit } from './answers/rate-limit.js';
import type { Exchange } from './answers/send-file.js';
import { answerUnreadable } from './answers/unreadable-request.js';
import { watchAnswer } from './answers/watch-answer.js';
import { oneDownload, type OneDownload } from './one-download.js';
import type { ServerOrder } from './server-order.js';

/** Where every request comes in. */
export interface Entrance {
  /** Begins to watch an answer; false for who asks too often, and has been answered so. */
  readonly enter: (exchange: Exchange) => boolean;
  /** What a request was for, without its token. */
  readonly asked: WeakMap<object, string>;
  /** Tells of what was no request; counted as if it were one. */
  readonly refuse: (error: Error & { readonly code?: string }, socket: Connection) => void;
  readonly once?: OneDownload;
}

/** The entrance of a server, with what it counts of each client. */
export function entranceOf({ limits, sites, isOnce, now, log }: ServerOrder): Entrance {
  const isGranted = rateLimit(limits.requestsPerSecond);
  const underWay = answering();
  const asked = new WeakMap<object, string>();
  const once = isOnce ? oneDownload(sites) : undefined;
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
      const [at, client] = [now(), socket.remoteAddress ?? ''];
      isGranted(client, at.getTime());
      const status = answerUnreadable(error, socket, underWay);
      if (status !== undefined)
        log({ at, client, method: '?', status, sentBytes: 0, tookMs: 0, isCut: true });
    },
  };
}
