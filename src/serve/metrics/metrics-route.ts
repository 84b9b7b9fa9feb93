import type { FastifyInstance, FastifyRequest } from 'fastify';

import type { LiveSites } from '../live-sites.js';
import { isSame } from '../page/page-session.js';
import type { SiteWatch } from '../page/site-watch.js';
import type { RolloutStatus } from '../rollouts/rollout-status.js';
import type { ServingState } from '../tokens/serving-state.js';
import { tokenOf } from '../tokens/tokens.js';
import { metricFormat, metricText, metricTypes } from './metric-text.js';
import type { ServerCounts } from './server-counts.js';
import { serverMetrics } from './server-metrics.js';

export const metricsPath = '/metrics';

/** The bearer token of the metrics. Revoking the status page revokes it too, since both show names of sites. */
export function metricsToken({
  tokenKey,
  viewerGeneration,
}: Pick<ServingState, 'tokenKey' | 'viewerGeneration'>): string {
  return tokenOf(tokenKey, { use: 'metrics', name: '', generation: viewerGeneration });
}

interface MetricsRoute {
  readonly sites: Pick<LiveSites, 'refresh' | 'state'>;
  readonly watch: Pick<SiteWatch, 'board' | 'lookAtAll'>;
  readonly rollouts: () => readonly RolloutStatus[];
  readonly counts: ServerCounts;
  readonly now: () => Date;
}

/** Adds the route of the metrics. A request without the token gets 401. */
export function addMetricsRoute(
  app: FastifyInstance,
  { sites, watch, rollouts, counts, now }: MetricsRoute,
  note: (request: FastifyRequest, what: string) => void,
): void {
  app.get(metricsPath, async (request, reply) => {
    await sites.refresh(now());
    const [, token = ''] = /^Bearer (\S{1,100})$/i.exec(request.headers.authorization ?? '') ?? [];
    if (!isSame(token, metricsToken(sites.state())))
      return reply.code(401).header('www-authenticate', 'Bearer').type('text/plain').send('unauthorized\n');
    note(request, 'metrics');
    await watch.lookAtAll();
    const metrics = serverMetrics({ rows: watch.board.rows(), rollouts: rollouts(), counts: counts.read() });
    const format = metricFormat(request.headers.accept);
    return reply
      .headers({ 'cache-control': 'no-store', vary: 'accept' })
      .type(metricTypes[format])
      .send(metricText(metrics, format));
  });
}
