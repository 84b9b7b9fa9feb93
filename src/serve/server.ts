import { fastify, type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';

import type { KeyPem } from '../formats/keys/key-pem.js';
import { limitConnections } from './answers/connections.js';
import { oneResponse } from './answers/one-response.js';
import { answerFault } from './answers/faults.js';
import { isSiteFileName } from './media-urls.js';
import { failedAnswer, notFound, sendFile } from './answers/send-file.js';
import { requestGuard, type RequestGuard } from './request-guard.js';
import { addMetricsRoute } from './metrics/metrics-route.js';
import { addPageRoutes } from './page/page-routes.js';
import { siteWatch } from './page/site-watch.js';
import { addReportRoute } from './reports/report-route.js';
import type { ServerOptions } from './server-options.js';
import { answerSite } from './site-answer.js';

/** A PEM certificate chain and its private key. */
export interface ServerTls {
  readonly cert: string;
  readonly key: KeyPem;
}

/** The listen address; plain HTTP without `tls`. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: ServerTls;
}

export interface Server {
  /** Stops accepting connections and waits up to `drainMs` for responses in progress. */
  close(drainMs: number): Promise<void>;
  /** Sets the certificate of new connections. */
  renew(tls: ServerTls): void;
}

/** Starts the server. Throws the system error if it cannot listen, and the TLS error if certificate or key is invalid. */
export async function startServer(order: ServerOptions, { host, port, tls }: ListenOptions): Promise<Server> {
  const entrance = requestGuard(order);
  const app = serverWithLimits(order, entrance, tls);
  const { server } = app;
  addRoutes(app, order, entrance);
  limitConnections(server, order.limits);
  server.on(isSecure(server) ? 'secureConnection' : 'connection', entrance.open);
  server.on('connect', ({ socket }) => {
    entrance.refuseTunnel(socket);
  });
  // A server may ignore `Expect` (RFC 9110 §10.1.1). The 417 answer of Node.js would bypass the limits and the log.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  await app.listen({ host, port });
  return {
    close: async (drainMs) => {
      const late = setTimeout(() => {
        server.closeAllConnections();
      }, drainMs);
      await app.close();
      clearTimeout(late);
      order.reports?.reports.close();
      order.downloads?.close();
    },
    renew: (next) => {
      if (isSecure(server)) server.setSecureContext(secureContext(next));
    },
  };
}

function secureContext({ cert, key }: ServerTls): { readonly cert: string; readonly key: string } {
  return { cert, key: key.reveal() };
}

function isSecure(
  server: object,
): server is { setSecureContext(tls: ReturnType<typeof secureContext>): void } {
  return 'setSecureContext' in server;
}

/** More than any firmware or boot loader sends. */
const maxHeadBytes = 8192;

function serverWithLimits(
  { limits: { idleMs, headMs } }: ServerOptions,
  { enter, refuse }: RequestGuard,
  tls: ServerTls | undefined,
): FastifyInstance {
  const settings = {
    logger: false,
    exposeHeadRoutes: false,
    connectionTimeout: idleMs,
    requestTimeout: headMs,
    keepAliveTimeout: headMs,
    forceCloseConnections: 'idle',
    bodyLimit: 4096,
    // Requests that the router rejects, such as invalid or overlong URLs, bypass the hooks.
    frameworkErrors: (_error: Error, request: FastifyRequest, reply: FastifyReply): void => {
      if (enter({ request, reply })) notFound(reply);
    },
    clientErrorHandler: refuse,
  } as const;
  // By default, Node.js checks for late request heads only every 30 seconds.
  const http = {
    maxHeaderSize: maxHeadBytes,
    headersTimeout: headMs,
    connectionsCheckingInterval: Math.ceil(headMs / 15),
    // The 400 answer of Node.js to a request without `Host` would bypass the limits and the log.
    requireHostHeader: false,
  };
  return tls === undefined
    ? fastify({ ...settings, http })
    : fastify({
        ...settings,
        https: { ...http, ...secureContext(tls), minVersion: 'TLSv1.2', handshakeTimeout: headMs },
      });
}

/** HTTP/1.1 requires one valid Host field; no version allows two. Source: RFC 9112 §3.2, RFC 3986 §3.2.2 */
function hasValidHost({ rawHeaders, httpVersion }: FastifyRequest['raw']): boolean {
  const hosts = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host',
  );
  const [host] = hosts;
  if (host === undefined) return httpVersion !== '1.1';
  return hosts.length === 1 && /^(?:\[[\da-fA-F:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/.test(host);
}

function addRoutes(
  app: FastifyInstance,
  order: ServerOptions,
  { enter, logNames, once }: RequestGuard,
): void {
  const { stock, sites, visits, page, now, onProblems, reports } = order;
  const turns = oneResponse();
  app.addHook('onRequest', (request, reply, done) => {
    if (!enter({ request, reply })) return;
    if (!hasValidHost(request.raw)) reply.code(400).type('text/plain').send('bad request\n');
    else turns.start(request.raw.socket, reply.raw, done);
  });
  app.setNotFoundHandler((_request, reply) => notFound(reply));
  app.setErrorHandler((error, request, reply) => {
    onProblems(answerFault(error), logNames.get(request) ?? '');
    return failedAnswer(reply, error);
  });
  const note = (request: object, what: string) => logNames.set(request, what);
  const watch = siteWatch({ ...page, sites, visits, now });
  addPageRoutes(app, { ...order, watch }, note);
  addMetricsRoute(app, { ...order, watch, rollouts: page.rollouts ?? (() => []) }, note);
  if (reports) addReportRoute(app, order, reports, note);
  app.route<{ Params: { token: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/:token/:name',
    handler: async (request, reply) => {
      const { token, name } = request.params;
      await sites.refresh(now());
      const site = sites.find(token);
      if (site === undefined || !isSiteFileName(name)) return notFound(reply);
      logNames.set(request, `${site.name}/${name}`);
      return answerSite(order, { token, site, name }, { request, reply, ...(once && { once }) });
    },
  });
  app.route<{ Params: { id: string; name: string } }>({
    method: ['GET', 'HEAD'],
    url: '/live/:id/:name',
    handler: (request, reply) => {
      const { id, name } = request.params;
      const file = id === stock.id ? stock.netboot.get(name) : undefined;
      if (file === undefined) return notFound(reply);
      logNames.set(request, `live/${name}`);
      const onFault = (error: unknown): void => {
        onProblems(answerFault(error), name);
      };
      return sendFile(file, { request, reply }, { onFault });
    },
  });
}
