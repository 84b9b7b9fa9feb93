import { fastify, type FastifyInstance } from 'fastify';

import { headMs, holdConnections, type ServerLimits } from './answers/connections.js';
import { isSiteFileName } from './media-urls.js';
import { rateLimit } from './answers/rate-limit.js';
import { notFound, sendFile } from './answers/send-file.js';
import type { ServerOrder } from './server-order.js';
import { answerSite } from './site-answer.js';
import { watchAnswer } from './answers/watch-answer.js';

/** A certificate with those above it, and its key: PEM. */
export interface ServerTls {
  readonly cert: string;
  readonly key: string;
}

/** Where a server listens; plain HTTP without `tls`. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  readonly tls?: ServerTls;
}

/** A server that listens. */
export interface Server {
  /** Takes no new connection, and waits for answers that are under way, so long at most. */
  close(drainMs: number): Promise<void>;
  /** Another certificate for those who connect from now on. */
  renew(tls: ServerTls): void;
}

/** Starts a server. Throws the system error where it cannot listen, and that of TLS where certificate and key do not do. */
export async function startServer(order: ServerOrder, { host, port, tls }: Listening): Promise<Server> {
  const app = bareApp(order.limits, tls);
  const { server } = app;
  addRoutes(app, order);
  holdConnections(server, order.limits);
  await app.listen({ host, port });
  return {
    close: async (drainMs) => {
      const late = setTimeout(() => {
        server.closeAllConnections();
      }, drainMs);
      await app.close();
      clearTimeout(late);
    },
    renew: (next) => {
      if (isSecure(server)) server.setSecureContext(next);
    },
  };
}

/** Whether a server speaks TLS. */
function isSecure(server: object): server is { setSecureContext(tls: ServerTls): void } {
  return 'setSecureContext' in server;
}

/** A request with more than this before its body is none of a machine that boots. */
const maxHeadBytes = 8192;

function bareApp({ idleMs }: ServerLimits, tls: ServerTls | undefined): FastifyInstance {
  const settings = {
    logger: false,
    exposeHeadRoutes: false,
    connectionTimeout: idleMs,
    requestTimeout: headMs,
    keepAliveTimeout: headMs,
    forceCloseConnections: 'idle',
    bodyLimit: 4096,
  } as const;
  const http = { maxHeaderSize: maxHeadBytes, headersTimeout: headMs };
  return tls === undefined
    ? fastify({ ...settings, http })
    : fastify({ ...settings, https: { ...http, ...tls, minVersion: 'TLSv1.2', handshakeTimeout: headMs } });
}

function addRoutes(app: FastifyInstance, order: ServerOrder): void {
  const { stock, limits, sites, now, log } = order;
  const isGranted = rateLimit(limits.requestsPerSecond);
  /** What a request was for, without its token. */
  const asked = new WeakMap<object, string>();
  app.addHook('onRequest', async (request, reply) => {
    const what = (): string | undefined => asked.get(request);
    watchAnswer({ request, reply }, { now, log, what, totalMs: limits.totalMs });
    if (isGranted(request.ip, now().getTime())) return;
    await reply.code(429).header('retry-after', '1').type('text/plain').send('too many requests\n');
  });
  app.setNotFoundHandler((_request, reply) => notFound(reply));
  app.setErrorHandler((_error, _request, reply) => notFound(reply));
  app.route<{ Params: { token: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/:token/:name',
    handler: async (request, reply) => {
      const { token, name } = request.params;
      await sites.refresh(now());
      const site = sites.find(token);
      if (site === undefined || !isSiteFileName(name)) return notFound(reply);
      asked.set(request, `${site.name}/${name}`);
      return answerSite(order, { site, name }, { request, reply });
    },
  });
  app.route<{ Params: { id: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/live/:id/:name',
    handler: (request, reply) => {
      const { id, name } = request.params;
      const file = id === stock.id ? stock.netboot.get(name) : undefined;
      if (file === undefined) return notFound(reply);
      asked.set(request, `live/${name}`);
      return sendFile(file, { request, reply });
    },
  });
}
