import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';

import { expect, onTestFinished, test } from 'vitest';

import { environmentProxy } from '../../../src/remote/http/proxy.js';
import { eventSender, type WebhookOptions } from '../../../src/remote/webhook/event-sender.js';
import type { RolloutEvent } from '../../../src/remote/webhook/rollout-event.js';
import { webhookToken, webhookUrl } from '../../../src/remote/webhook/webhook-settings.js';
import { listeningPort } from '../../support/ports.js';
import { tunnelProxy } from '../../support/tunnel-proxy.js';
import { throwawayAuthority } from '../kubernetes/throwaway-tls.js';

function event(site: string, more: Partial<RolloutEvent> = {}): RolloutEvent {
  return {
    event: 'site-started',
    operation: 'boot',
    fleet: 'spring',
    at: '2026-11-02T03:04:05Z',
    site,
    counts: { done: 0, failed: 0, waiting: 1, pending: 2, held: 0 },
    ...more,
  };
}

interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (response: ServerResponse, count: number) => void;

/** A receiver that records complete requests and then gives the answer. */
function receiver(received: Received[], answer: Answer): RequestListener {
  return (request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { headers, method, url } = request;
      const count = received.push({ headers, method, url, body: JSON.parse(text) as Received['body'] });
      answer(response, count);
    });
  };
}

async function listening(answer: Answer): Promise<{ url: URL; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer(receiver(received, answer));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: new URL(`http://127.0.0.1:${await listeningPort(server)}/hook?x=1`), received };
}

const ok: Answer = (response) => {
  response.writeHead(204).end();
};

const now = (): Date => new Date('2026-11-02T03:04:05Z');

const quick = { requestMs: 5000, retryMs: 1, longestRetryMs: 2, closeMs: 60_000 };

async function sendAll(
  url: URL,
  events: readonly RolloutEvent[],
  options: Partial<WebhookOptions> = {},
): Promise<readonly string[]> {
  const sender = eventSender(url, { now, ...options, limits: { ...quick, ...options.limits } });
  for (const each of events) sender.send(each);
  const warnings = await sender.close();
  expect(warnings.every(({ code, severity }) => code === 'webhook/failed' && severity === 'warning')).toBe(
    true,
  );
  return warnings.map(({ message, hint }) => (hint === undefined ? message : `${message}; hint: ${hint}`));
}

test('posts events in their order with the token', async () => {
  const { url, received } = await listening(ok);
  const sites = Array.from({ length: 20 }, (_, index) => `north-${index}`);
  expect(
    await sendAll(
      url,
      sites.map((site) => event(site)),
      { token: 'opaque' },
    ),
  ).toEqual([]);
  expect(received.map(({ body }) => body['site'])).toEqual(sites);
  expect(received[0]).toMatchObject({
    method: 'POST',
    url: '/hook?x=1',
    headers: { 'content-type': 'application/json', authorization: 'Bearer opaque' },
  });
  const { id, ...content } = received[0]?.body ?? {};
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(content).toEqual({ version: 1, ...event('north-0') });
  expect(new Set(received.map(({ body }) => body['id'])).size).toBe(sites.length);
});

test.each([
  ['500', (response: ServerResponse) => void response.writeHead(500).end()],
  ['429', (response: ServerResponse) => void response.writeHead(429, { 'retry-after': '0' }).end()],
  ['a closed connection', (response: ServerResponse) => void response.destroy()],
  ['a reply that is not HTTP', (response: ServerResponse) => void response.socket?.end('SSH-2.0-x\r\n')],
])('repeats an event with the same id after %s', async (_what, fail) => {
  const { url, received } = await listening((response, count) => {
    if (count <= 2) fail(response);
    else ok(response, count);
  });
  expect(await sendAll(url, [event('north-1'), event('north-2')])).toEqual([]);
  const ids = received.map(({ body }) => body['id']);
  expect(received.map(({ body }) => body['site'])).toEqual(['north-1', 'north-1', 'north-1', 'north-2']);
  expect(new Set(ids).size).toBe(2);
});

test('waits for the time in Retry-After', async () => {
  const times: number[] = [];
  const { url } = await listening((response, count) => {
    times.push(performance.now());
    if (count === 1) response.writeHead(429, { 'retry-after': '1' }).end();
    else ok(response, count);
  });
  expect(await sendAll(url, [event('north-1')], { limits: { longestRetryMs: 60_000 } })).toEqual([]);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(950);
});

test('limits Retry-After', async () => {
  const { url, received } = await listening((response, count) => {
    if (count === 1) response.writeHead(503, { 'retry-after': '999999999' }).end();
    else ok(response, count);
  });
  expect(await sendAll(url, [event('north-1')])).toEqual([]);
  expect(received).toHaveLength(2);
});

test.each([
  [500, 5, 'HTTP 500'],
  [400, 1, 'HTTP 400'],
  [401, 1, 'HTTP 401; hint: check the token of --webhook-token-file'],
  [302, 1, 'HTTP 302; hint: name the final URL: redirects are not followed'],
])('reports %i after %i attempts in one warning', async (status, attempts, reason) => {
  const { url, received } = await listening((response) => {
    response.writeHead(status, { location: '/elsewhere' }).end('token opaque');
  });
  expect(await sendAll(url, [event('north-1'), event('north-2')])).toEqual([
    `${url.host} did not get 2 of 2 events: ${reason}`,
  ]);
  expect(received.map((each) => each.url)).toEqual(Array(2 * attempts).fill('/hook?x=1'));
});

test('survives a receiver that switches protocols', async () => {
  const { url } = await listening((response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n');
  });
  expect(await sendAll(url, [event('north-1')])).toEqual([`${url.host} did not get 1 of 1 events: HTTP 101`]);
});

test('accepts a huge response without reading it', async () => {
  let written = 0;
  const { url } = await listening((response) => {
    response.writeHead(200);
    const more = (): void => {
      while (!response.destroyed) {
        written += 65_536;
        if (!response.write(Buffer.alloc(65_536))) break;
      }
    };
    response.on('drain', more).on('error', () => undefined);
    more();
  });
  expect(await sendAll(url, [event('north-1'), event('north-2')])).toEqual([]);
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test('a slow receiver delays neither the rollout nor its end, and the newest events are kept', async () => {
  const held: ServerResponse[] = [];
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const { url, received } = await listening((response) => {
    held.push(response);
    arrive();
  });
  const sender = eventSender(url, { now, limits: { ...quick, queued: 3 } });
  sender.send(event('north-0'));
  await arrived;
  for (let index = 1; index < 10; index += 1) sender.send(event(`north-${index}`));
  const closing = sender.close();
  for (let count = 0; count < 4; count += 1) {
    while (held.length <= count) await new Promise(setImmediate);
    held[count]?.writeHead(200).end();
  }
  expect((await closing).map(({ message }) => message)).toEqual([
    `${url.host} did not get 6 of 10 events: it is too slow`,
  ]);
  expect(received.map(({ body }) => body['site'])).toEqual(['north-0', 'north-7', 'north-8', 'north-9']);
});

test('gives up after the time limits', async () => {
  const { url } = await listening(() => undefined);
  const events = [event('north-1'), event('north-2')];
  const late = `${url.host} did not get 2 of 2 events: timed out`;
  expect(await sendAll(url, events, { limits: { requestMs: 20, attempts: 2 } })).toEqual([late]);
  expect(await sendAll(url, events, { limits: { closeMs: 20 } })).toEqual([late]);
  const refusing = await listening((response) => response.writeHead(503).end());
  const inPause = { retryMs: 600_000, longestRetryMs: 600_000, closeMs: 200 };
  const [warning = ''] = await sendAll(refusing.url, events, { limits: inPause });
  // A slow machine has not read the response when the time is over.
  expect(warning).toMatch(/ did not get 2 of 2 events: (HTTP 503|timed out)$/);
});

test('sends no secrets and no control characters', async () => {
  const { url, received } = await listening(ok);
  const cause = `BMC said\u001b[31m Bearer abcdefghijkl and https://user:pw@host/x`;
  const message = 'x'.repeat(5000);
  expect(await sendAll(url, [event('north-1', { event: 'site-failed', cause, message })])).toEqual([]);
  expect(received[0]?.body).toMatchObject({
    cause: 'BMC said·[31m Bearer [redacted] and https://[redacted]@host/x',
    message: `${'x'.repeat(1000)}…`,
  });
});

test('docs/fleet-rollout.md shows an event', async () => {
  const [, text = ''] = /```json\n([^]*?)```/.exec(readFileSync('docs/fleet-rollout.md', 'utf8')) ?? [];
  const { id, version, ...shown } = JSON.parse(text) as RolloutEvent & Record<'id' | 'version', unknown>;
  const { url, received } = await listening(ok);
  expect(await sendAll(url, [shown])).toEqual([]);
  expect(Object.entries({ ...received[0]?.body, id })).toEqual(Object.entries({ id, version, ...shown }));
});

interface SecureReceiver {
  readonly port: number;
  readonly received: Received[];
  readonly authorityPem: string;
}

async function listeningWithTls(names: readonly string[]): Promise<SecureReceiver> {
  const authority = await throwawayAuthority('webhook-ca');
  const { certPem: cert, keyPem: key } = await authority.issue({ commonName: 'webhook', names });
  const received: Received[] = [];
  const server = createSecureServer({ cert, key }, receiver(received, ok));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listeningPort(server), received, authorityPem: authority.certPem };
}

test('verifies the certificate before it sends anything', async () => {
  const { port, received, authorityPem } = await listeningWithTls(['localhost']);
  const url = new URL(`https://localhost:${port}/`);
  const token = 'opaque';
  const hint = '; hint: trust its CA with --webhook-ca';
  const unknown = `${url.host} did not get 1 of 1 events: certificate signed by an unknown authority${hint}`;
  expect(await sendAll(url, [event('north-1')], { token })).toEqual([unknown]);
  const other = new URL(`https://127.0.0.1:${port}/`);
  expect(await sendAll(other, [event('north-1')], { token, authoritiesPem: authorityPem })).toEqual([
    `${other.host} did not get 1 of 1 events: certificate is not valid for this name`,
  ]);
  expect(received).toEqual([]);
  expect(await sendAll(url, [event('north-1')], { token, authoritiesPem: authorityPem })).toEqual([]);
  expect(received).toHaveLength(1);
});

test('uses the proxy of the environment', async () => {
  const { port, received, authorityPem } = await listeningWithTls(['hooks.example.com']);
  const { port: proxyPort, tunnels } = await tunnelProxy(port);
  const proxy = environmentProxy({ https_proxy: `http://127.0.0.1:${proxyPort}` });
  if (!proxy.ok) throw new Error('no proxy');
  const options = { proxy: proxy.value, authoritiesPem: authorityPem };
  expect(await sendAll(new URL('https://hooks.example.com/x'), [event('north-1')], options)).toEqual([]);
  expect(tunnels).toEqual(['hooks.example.com:443']);
  expect(received).toHaveLength(1);
});

test.each([
  ['https://hooks.example.com/x', undefined],
  ['http://127.0.0.1:9000/', undefined],
  ['http://[::1]:9000/', undefined],
  ['http://hooks.example.com/', '--webhook does not use TLS'],
  ['http://127.0.0.1.example.com/', '--webhook does not use TLS'],
  ['https://user:pw@hooks.example.com/', '--webhook contains a user or password'],
  ['ftp://hooks.example.com/', '--webhook is not an https URL'],
  ['hooks.example.com', '--webhook is not an https URL'],
])('judges the address %s', (text, fault) => {
  const url = webhookUrl(text);
  expect(url.ok ? undefined : url.problems.map(({ code, message }) => ({ code, message }))).toEqual(
    fault === undefined ? undefined : [{ code: 'webhook/address', message: fault }],
  );
});

test('judges the token', () => {
  expect(webhookToken('abc.def==\n')).toMatchObject({ ok: true, value: 'abc.def==' });
  expect(webhookToken('two\ntokens\n')).toMatchObject({ ok: false, problems: [{ code: 'webhook/address' }] });
  expect(webhookToken('')).toMatchObject({ ok: false });
});
