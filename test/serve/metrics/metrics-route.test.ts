import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';

import { folderConfigs } from '../../../src/serve/site-configs.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { downloadTracker } from '../../../src/serve/download-tracker.js';
import { addMetricsRoute, metricsToken } from '../../../src/serve/metrics/metrics-route.js';
import { serverCounts } from '../../../src/serve/metrics/server-counts.js';
import { viewerToken } from '../../../src/serve/page/page-session.js';
import { programVersion } from '../../../src/core/program-version.js';
import { siteWatch } from '../../../src/serve/page/site-watch.js';
import type { RolloutStatus } from '../../../src/serve/rollouts/rollout-status.js';
import { KeyPem } from '../../../src/formats/keys/key-pem.js';
import { Redacted } from '../../../src/core/redacted.js';

const refuse = (): never => expect.unreachable();
const awaited = ['north-1', 'north-2', 'south-1'].map((name) => ({ name, dir: `/nonexistent/${name}` }));
const at = (minute: number): string => new Date(Date.UTC(2026, 10, 2, 3, minute)).toISOString();

const rollout: RolloutStatus = {
  operation: 'boot',
  state: 'waiting',
  waves: [
    { name: 'canary', state: 'done' },
    { name: '1', state: 'running' },
    { name: '2', state: 'pending' },
  ],
  sites: new Map([
    ['north-1', { state: 'done', wave: 'canary', startedAt: at(0), finishedAt: at(50) }],
    ['north-2', { state: 'failed', wave: 'canary', startedAt: at(0), finishedAt: at(10) }],
    ['south-1', { state: 'waiting', wave: '1', startedAt: at(51) }],
  ]),
};

/** Metrics of a server with three sites. */
async function served() {
  let viewerGeneration = 0;
  const state = () => ({
    tokenKey: new Redacted(Buffer.alloc(32, 7).toString('base64url')),
    generations: {},
    viewerGeneration,
    authority: { keyPem: new KeyPem(''), certPem: '' },
  });
  const counts = serverCounts();
  const visits = downloadTracker(undefined, counts.onDownload);
  const sites = {
    all: () => [],
    state,
    refresh: () => Promise.resolve(),
    find: refuse,
    end: refuse,
    isUsed: refuse,
  };
  const now = (): Date => new Date('2026-11-02T03:04:05Z');
  const findings = () => new Map([['north-1', { bootableUntil: '2026-12-02T03:04:05Z' }]]);
  const watch = siteWatch({
    fleetName: 'edge',
    touched: new Set(),
    configs: folderConfigs(noAccess),
    findings,
    awaited,
    sites,
    visits,
    now,
  });
  const app = fastify();
  addMetricsRoute(app, { sites, watch, rollouts: () => [rollout], counts, now }, () => undefined);
  const url = `${await app.listen({ host: '127.0.0.1', port: 0 })}/metrics`;
  onTestFinished(() => app.close());
  return {
    counts,
    visits,
    tokens: () => ({ metrics: metricsToken(state()), viewer: viewerToken(state()) }),
    revoke: () => (viewerGeneration += 1),
    ask: (authorization: string, accept = 'application/openmetrics-text; version=1.0.0') =>
      fetch(url, { headers: { authorization, accept } }),
  };
}

test('requires the bearer token of the metrics, which is revoked with the page', async () => {
  const { ask, tokens, revoke } = await served();
  const { metrics, viewer } = tokens();
  for (const wrong of ['', 'Bearer ', `Bearer ${viewer}`, `Basic ${metrics}`, `Bearer ${metrics}x`]) {
    const refused = await ask(wrong);
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(await refused.text()).toBe('unauthorized\n');
  }
  expect((await ask(`Bearer ${metrics}`)).status).toBe(200);
  revoke();
  expect((await ask(`Bearer ${metrics}`)).status).toBe(401);
});

test('reports sites, rollouts, certificates and counters', async () => {
  const { ask, tokens, counts, visits } = await served();
  const medium = { bytes: 10, etag: '"1"' };
  for (const offset of [0, 5, 0]) visits.onPiece('south-1', { offset, length: 5 }, medium);
  counts.onReport();
  counts.onResponse({ status: 206, sentBytes: 100 });
  counts.onResponse({ status: 206, sentBytes: 1 });
  const answer = await ask(`Bearer ${tokens().metrics}`);
  expect(answer.headers.get('content-type')).toBe(
    'application/openmetrics-text; version=1.0.0; charset=utf-8',
  );
  const text = await answer.text();
  expect(text.replaceAll(/^#.*\n/gm, '')).toBe(`sno_install_build_info{version="${programVersion}"} 1
sno_install_sites{phase="no-outputs"} 2
sno_install_sites{phase="created"} 0
sno_install_sites{phase="reading"} 0
sno_install_sites{phase="fetched"} 1
sno_install_sites{phase="starting"} 0
sno_install_sites{phase="booted"} 0
sno_install_sites{phase="ejected"} 0
sno_install_sites{phase="installing"} 0
sno_install_sites{phase="post-install"} 0
sno_install_sites{phase="failed"} 0
sno_install_sites{phase="ready"} 0
sno_install_rollout_state{operation="boot",sno_install_rollout_state="running"} 0
sno_install_rollout_state{operation="boot",sno_install_rollout_state="waiting"} 1
sno_install_rollout_state{operation="boot",sno_install_rollout_state="interrupted"} 0
sno_install_rollout_state{operation="boot",sno_install_rollout_state="stopped"} 0
sno_install_rollout_state{operation="boot",sno_install_rollout_state="complete"} 0
sno_install_rollout_sites{operation="boot",state="held"} 0
sno_install_rollout_sites{operation="boot",state="pending"} 0
sno_install_rollout_sites{operation="boot",state="starting"} 0
sno_install_rollout_sites{operation="boot",state="waiting"} 1
sno_install_rollout_sites{operation="boot",state="done"} 1
sno_install_rollout_sites{operation="boot",state="failed"} 1
sno_install_rollout_wave{operation="boot"} 2
sno_install_rollout_waves{operation="boot"} 3
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="900.0"} 0
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="1800.0"} 0
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="2700.0"} 0
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="3600.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="4500.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="5400.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="7200.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="10800.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="14400.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="21600.0"} 1
sno_install_rollout_site_duration_seconds_bucket{operation="boot",le="+Inf"} 1
sno_install_rollout_site_duration_seconds_sum{operation="boot"} 3000
sno_install_rollout_site_duration_seconds_count{operation="boot"} 1
sno_install_certificate_expiry_timestamp_seconds{site="north-1"} 1796180645
sno_install_media_downloads_total 1
sno_install_node_reports_total 1
sno_install_http_responses_total{code="206"} 2
sno_install_http_sent_bytes_total 101
`);
});
