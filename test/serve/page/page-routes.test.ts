import { fastify } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';

import { folderConfigs } from '../../../src/serve/site-configs.js';
import { noAccess } from '../../../src/disk/state/state-access.js';
import { addPageRoutes } from '../../../src/serve/page/page-routes.js';
import { siteWatch } from '../../../src/serve/page/site-watch.js';
import { sessionCookie } from '../../../src/serve/page/page-session.js';
import { downloadTracker } from '../../../src/serve/download-tracker.js';
import { KeyPem } from '../../../src/formats/keys/key-pem.js';
import { Redacted } from '../../../src/core/redacted.js';

const refuse = (): never => expect.unreachable();

/** The page of a server without sites. Its tokens change only with `refresh`. */
async function pageServed() {
  let [written, read] = [0, 0];
  const state = () => ({
    tokenKey: new Redacted(Buffer.alloc(32, 7).toString('base64url')),
    generations: {},
    viewerGeneration: read,
    authority: { keyPem: new KeyPem(''), certPem: '' },
  });
  const refresh = async (): Promise<void> => {
    await Promise.resolve();
    read = written;
  };
  const order = {
    sites: { all: () => [], state, refresh, find: refuse, end: refuse, isUsed: refuse },
    page: {
      fleetName: 'edge',
      touched: new Set<string>(),
      configs: folderConfigs(noAccess),
      findings: () => new Map(),
      awaited: [],
    },
    url: new URL('http://127.0.0.1'),
    limits: {
      connections: 10,
      connectionsPerClient: 10,
      requestsPerSecond: 10,
      idleMs: 60_000,
      totalMs: 60_000,
      headMs: 15_000,
    },
    now: () => new Date(),
    onProblems: refuse,
  };
  const app = fastify();
  const watch = siteWatch({ ...order, ...order.page, visits: downloadTracker() });
  addPageRoutes(app, { ...order, watch }, () => undefined);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const [cookie = ''] = sessionCookie(state(), { now: new Date(), isSecure: false }).split(';');
  return {
    listen: () => fetch(`${url}/sites/events`, { headers: { cookie } }),
    revoke: () => (written += 1),
  };
}

test('disconnects listeners when the token of the page is revoked', async () => {
  const { listen, revoke } = await pageServed();
  const answer = await listen();
  expect(answer.status).toBe(200);
  revoke();
  expect(await answer.text()).toContain('event: all\n');
  expect((await listen()).status).toBe(404);
});
