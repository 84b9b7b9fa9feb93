import { createServer, type IncomingMessage } from 'node:http';

import { expect, onTestFinished, test } from 'vitest';

import {
  type ObjectStore,
  type RetryPolicy,
  openStore,
} from '../../../src/remote/object-store/object-store.js';
import { freePort, listeningPort } from '../../support/ports.js';

interface Scripted {
  readonly status: number;
  readonly body?: string;
  /** Empty for an answer without ETag. */
  readonly etag?: string;
}

/** A server that gives these answers in order and repeats the last one. `asked` records the requests. */
async function scripted(
  ...answers: readonly Scripted[]
): Promise<{ port: number; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const {
      status,
      body = '',
      etag = '"1"',
    } = answers[Math.min(requests.push(request), answers.length) - 1] ?? {
      status: 500,
    };
    request.resume().on('end', () => response.writeHead(status, etag === '' ? {} : { etag }).end(body));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: await listeningPort(server), requests };
}

/** A client whose clock advances by half a minute each time it is read. */
function client(port: number, patience: Partial<RetryPolicy> = {}): ObjectStore {
  let elapsed = 0;
  const store = openStore({
    address: {
      bucketUrl: `http://127.0.0.1:${port}/sites`,
      stsUrl: 'http://127.0.0.1:9/',
      region: 'us-east-1',
      prefix: 'spring',
    },
    credentials: { kind: 'keys', keys: { accessKeyId: 'access', secretAccessKey: 'secret' } },
    run: () => Promise.reject(new Error('nothing is run')),
    patience: {
      patienceMs: 60_000,
      end: new AbortController().signal,
      randomNumber: () => 0,
      elapsedMs: () => (elapsed += 30_000),
      ...patience,
    },
    now: () => new Date('2026-11-02T03:04:05Z'),
  });
  onTestFinished(store.close);
  return store;
}

function fault(code: string): string {
  return `<?xml version="1.0"?><Error><Code>${code}</Code><Message>not shown</Message></Error>`;
}

test('retries a busy store with a new signature', async () => {
  const waits: string[] = [];
  const server = await scripted({ status: 503, body: fault('SlowDown') }, { status: 200, body: 'contents' });
  const store = client(server.port, { onWait: ({ message }) => waits.push(message) });
  expect(await store.read('sites/north-1.tar')).toEqual({ bytes: Buffer.from('contents'), tag: '"1"' });
  expect(waits).toEqual(['HTTP 503 (SlowDown)']);
  for (const { url, headers } of server.requests) {
    expect(url).toBe('/sites/spring/sites/north-1.tar');
    expect(headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=access\/20261102\/us-east-1\/s3\/aws4_request, /,
    );
  }
  expect(server.requests).toHaveLength(2);
});

test.each([
  [
    { status: 503, body: fault('SlowDown') },
    { kind: 'unreachable', message: 'HTTP 503 (SlowDown)' },
  ],
  [
    { status: 403, body: fault('AccessDenied') },
    { message: 'the credentials do not allow this in the bucket' },
  ],
  [
    { status: 403, body: fault('<script>') },
    { kind: 'refused', message: 'HTTP 403' },
  ],
  [
    { status: 416, body: fault('InvalidRange') },
    { kind: 'damaged', message: 'a is empty' },
  ],
  [
    { status: 200, etag: '' },
    { kind: 'damaged', message: 'the response for a has no ETag' },
  ],
  [{ status: 301 }, { message: 'the bucket is in another region or at another endpoint' }],
  [{ status: 404, body: fault('NoSuchBucket') }, { message: 'the bucket does not exist' }],
])('patience with %j has an end', async (answer, want) => {
  const { port } = await scripted(answer);
  await expect(client(port).read('a')).rejects.toMatchObject(want);
});

test('reports a closed port, and stops retrying on a signal', async () => {
  const port = await freePort();
  await expect(client(port).read('a')).rejects.toMatchObject({ message: 'connection refused' });
  const stop = new AbortController();
  const stopped = client(port, {
    end: stop.signal,
    elapsedMs: () => 0,
    onWait: () => {
      stop.abort();
    },
  });
  await expect(stopped.read('a')).rejects.toMatchObject({ kind: 'unreachable' });
});

test('does not overwrite objects, and supports stores without conditional writes', async () => {
  const conflict = await scripted({ status: 412, body: fault('PreconditionFailed') });
  expect(await client(conflict.port).write('a', Buffer.from('b'), 'nothing')).toBe('taken');
  expect(conflict.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['*']);

  const absent = await scripted({ status: 404, body: fault('NoSuchKey') });
  expect(await client(absent.port).write('a', Buffer.from('b'), { tag: '"0"' })).toBe('taken');
  expect(absent.requests.map(({ headers }) => headers['if-match'])).toEqual(['"0"']);

  const simple = await scripted({ status: 501, body: fault('NotImplemented') }, { status: 200 });
  expect(await client(simple.port).write('a', Buffer.from('b'), 'nothing')).toBe('written');
  expect(simple.requests.map(({ headers }) => headers['if-none-match'])).toEqual(['*', undefined]);
});
