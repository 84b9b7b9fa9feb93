import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { rfc3339 } from '../../core/rfc3339.js';
import { ownTemplates } from '../../disk/program-files/templates.js';
import { answerFault } from '../answers/faults.js';
import { notFound, type Exchange } from '../answers/send-file.js';
import type { ServerOptions } from '../server-options.js';
import { parseRowFilter } from './row-filter.js';
import { eventStream, type EventStream } from './event-stream.js';
import { hasSession, isSame, sessionCookie, viewerToken } from './page-session.js';
import { renderPage } from './render-page.js';
import type { SiteWatch } from './site-watch.js';

/** Content Security Policy: same origin only, no inline code, no framing. Source: https://www.w3.org/TR/CSP3/ */
const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const assetTypes = {
  'page.css': 'text/css; charset=utf-8',
  'page.js': 'text/javascript; charset=utf-8',
} as const;

/** Query parameters as Fastify parses them. */
type QueryMembers = Readonly<Record<'q' | 'phase' | 'from', unknown>>;

/** Sets the log name of a request. */
type Note = (request: FastifyRequest, what: string) => void;

interface OrderOfPage extends Pick<
  ServerOptions,
  'sites' | 'page' | 'now' | 'url' | 'limits' | 'onProblems'
> {
  readonly watch: SiteWatch;
}

/** Adds the routes of the status page. Without a valid session they answer 404. */
export function addPageRoutes(app: FastifyInstance, order: OrderOfPage, note: Note): void {
  const { sites, watch, page, now, url, limits, onProblems } = order;
  const heartbeatMs = Math.min(longestHeartbeatMs, limits.idleMs / 3);
  const run = now().getTime().toString(36);
  const onFault = (error: unknown): void => {
    onProblems(answerFault(error), '');
  };
  const stream = eventStream(watch, { ...streamLimits, heartbeatMs }, { run, now, onFault });
  app.addHook('preClose', async () => {
    stream.close();
    await Promise.resolve();
  });
  app.get<{ Params: { token: string } }>('/view/:token', async (request, reply) => {
    await sites.refresh(now());
    if (!isSame(request.params.token, viewerToken(sites.state()))) return notFound(reply);
    note(request, 'page/session');
    const cookie = sessionCookie(sites.state(), { now: now(), isSecure: url.protocol === 'https:' });
    return reply.headers({ ...pageHeaders, 'set-cookie': cookie }).redirect('/sites', 303);
  });
  const hasGoodSession = ({ headers }: FastifyRequest): boolean =>
    hasSession(sites.state(), headers.cookie, now());
  /** Adds a route that requires a session. */
  const shown = (path: string, answer: (request: FastifyRequest, reply: FastifyReply) => unknown): void => {
    app.get(path, async (request, reply) => {
      await sites.refresh(now());
      if (!hasGoodSession(request)) return notFound(reply);
      note(request, path.replace(/^\/sites/, 'page'));
      return answer(request, reply);
    });
  };
  shown('/sites', async (request, reply) => {
    await watch.lookAtAll();
    const contents = {
      fleetName: page.fleetName,
      summary: watch.board.summary(),
      rows: watch.board.rows(),
      choice: parseRowFilter(request.query as QueryMembers),
      at: rfc3339(now()),
      eventId: stream.id(),
    };
    return reply.headers(pageHeaders).type('text/html; charset=utf-8').send(renderPage(contents));
  });
  shown('/sites/events', (request, reply) =>
    listen(stream, { request, reply }, () => hasGoodSession(request)),
  );
  const templates = ownTemplates();
  for (const [name, type] of Object.entries(assetTypes)) {
    const body = templates.read(`page/${name}`);
    shown(`/sites/${name}`, (_request, reply) => reply.headers(pageHeaders).type(type).send(body));
  }
}

/** Longest interval between heartbeats. Proxies close idle connections after about a minute. */
const longestHeartbeatMs = 15_000;

const streamLimits = { listeners: 100, lookMs: 1000, slowMs: 30_000 };

function listen(stream: EventStream, { request, reply }: Exchange, isGood: () => boolean): FastifyReply {
  if (stream.isFull())
    return reply.code(503).headers(pageHeaders).header('retry-after', '30').send('too many event streams\n');
  const { from } = request.query as QueryMembers;
  const last = request.headers['last-event-id'] ?? from;
  reply.hijack();
  reply.raw.writeHead(200, { ...pageHeaders, 'content-type': 'text/event-stream' });
  stream.join(reply.raw, { lastId: typeof last === 'string' ? last : '', isGood });
  return reply;
}
