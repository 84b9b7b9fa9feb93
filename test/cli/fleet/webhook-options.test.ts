import { writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { requestedWebhook, type WebhookOptions } from '../../../src/cli/fleet/webhook-options.js';
import { throwawayAuthority } from '../../remote/kubernetes/throwaway-tls.js';
import { listeningPort } from '../../support/ports.js';
import { scratchFolder } from '../../support/scratch.js';

const event = {
  event: 'rollout-complete',
  operation: 'boot',
  fleet: 'spring',
  at: '2026-11-02T03:04:05Z',
  counts: { done: 1, failed: 0, waiting: 0, pending: 0, held: 0 },
} as const;

test('sends events with the token and the CA of the options', async () => {
  const authority = await throwawayAuthority('webhook-ca');
  const { certPem: cert, keyPem: key } = await authority.issue({ commonName: 'a', names: ['localhost'] });
  const authorizations: unknown[] = [];
  const server = createServer({ cert, key }, (request, response) => {
    authorizations.push(request.headers.authorization);
    request.resume().on('end', () => response.writeHead(204).end());
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const webhook = `https://localhost:${await listeningPort(server)}/`;
  const [ca, token] = ['ca.pem', 'token'].map((name) => join(scratchFolder(), name));
  writeFileSync(ca ?? '', `A comment\n${authority.certPem}`);
  writeFileSync(token ?? '', 'opaque\n');
  const sender = requestedWebhook({ webhook, webhookTokenFile: token ?? '', webhookCa: ca ?? '' }, {});
  if (!sender.ok) throw new Error(JSON.stringify(sender.problems));
  sender.value.send(event);
  expect(await sender.value.close()).toEqual([]);
  expect(authorizations).toEqual(['Bearer opaque']);
});

test('sends nothing without --webhook', async () => {
  const sender = requestedWebhook({}, { HTTPS_PROXY: 'not a URL' });
  if (!sender.ok) throw new Error('refused');
  sender.value.send(event);
  expect(await sender.value.close()).toEqual([]);
});

const empty = join(scratchFolder(), 'empty');
writeFileSync(empty, '');
const webhook = 'https://hooks.example.com/';
test.each<[WebhookOptions, string]>([
  [{ webhookTokenFile: empty }, 'usage/conflicting-options: --webhook-token-file needs --webhook'],
  [{ webhookCa: empty }, 'usage/conflicting-options: --webhook-ca needs --webhook'],
  [{ webhook, webhookCa: empty }, 'usage/unreadable-file: --webhook-ca contains no PEM certificate'],
  [
    { webhook, webhookTokenFile: empty },
    'webhook/address: --webhook-token-file does not contain one bearer token',
  ],
  [
    { webhook: 'http://a/', webhookTokenFile: '/nonexistent' },
    'webhook/address: --webhook does not use TLS, usage/unreadable-file: --webhook-token-file /nonexistent cannot be read: it does not exist',
  ],
])('rejects %o', (options, want) => {
  const sender = requestedWebhook(options, {});
  expect(sender.ok ? '' : sender.problems.map(({ code, message }) => `${code}: ${message}`).join(', ')).toBe(
    want,
  );
});
