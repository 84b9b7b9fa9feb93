import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { folderConfigs } from '../../src/serve/site-configs.js';
import { noAccess } from '../../src/disk/state/state-access.js';
import type { Problem } from '../../src/core/problem.js';
import { success } from '../../src/core/result.js';
import type { AccessLogEntry } from '../../src/serve/answers/access-log.js';
import { servedBytes, type ServedFile } from '../../src/serve/answers/served-file.js';
import type { SiteMedia } from '../../src/serve/media/site-media.js';
import { openBaseIso } from '../../src/serve/media/base-iso.js';
import type { ServerOptions } from '../../src/serve/server-options.js';
import { startServer } from '../../src/serve/server.js';
import type { ServedSite } from '../../src/serve/site-catalogue.js';
import { serverCounts } from '../../src/serve/metrics/server-counts.js';
import { downloadTracker } from '../../src/serve/download-tracker.js';
import { liveIso } from '../media/support/live-iso.js';
import { freePort } from '../support/ports.js';
import { scratchFolder } from '../support/scratch.js';

const token = 'T0kenOfNorthOneWhichIsLongEnough';
const site: ServedSite = { name: 'north-1', dir: '/nowhere', generation: 0 };
const medium = servedBytes(Buffer.alloc(300_000, 'a medium '));
const overlay = servedBytes(Buffer.from('an initramfs'));

interface StartOptions extends Partial<
  Pick<ServerOptions, 'isOnce' | 'limits' | 'outdated' | 'refusesOutdated'>
> {
  /** Whether the token is valid; by default until the download ends. */
  readonly isGood?: () => boolean;
  readonly made?: () => SiteMedia;
}

const limits = {
  connections: 100,
  connectionsPerClient: 100,
  requestsPerSecond: 100,
  idleMs: 60_000,
  totalMs: 60_000,
  headMs: 15_000,
};

/** A server of one site over plain HTTP; `log` and `reported` record its output. */
async function started({ made, isGood, ...options }: StartOptions) {
  const path = join(scratchFolder(), 'live.iso');
  writeFileSync(path, liveIso());
  const stock = await openBaseIso({ path, kernelArguments: [] });
  if (!stock.ok) throw new Error('the image cannot be opened');
  const [used, log, reported]: [string[], AccessLogEntry[], Problem[]] = [[], [], []];
  const media = made ?? ((): SiteMedia => ({ iso: medium, overlay: () => Promise.resolve(overlay) }));
  const port = await freePort();
  const order: ServerOptions = {
    stock: stock.value,
    media: { of: () => Promise.resolve().then(() => success(media())) },
    sites: {
      find: (text) => (text === token && (isGood?.() ?? used.length === 0) ? site : undefined),
      all: () => [site],
      state: () => {
        throw new Error('nobody asks for it');
      },
      refresh: () => Promise.resolve(),
      end: ({ name }) => used.push(name),
      isUsed: () => false,
    },
    visits: downloadTracker(),
    counts: serverCounts(),
    page: {
      fleetName: 'edge',
      touched: new Set(),
      configs: folderConfigs(noAccess),
      findings: () => new Map(),
      awaited: [],
    },
    url: new URL(`http://127.0.0.1:${port}`),
    kernelArguments: [],
    limits,
    isOnce: false,
    now: () => new Date(),
    log: (answered) => log.push(answered),
    onProblems: (problems) => reported.push(...problems),
    ...options,
  };
  const server = await startServer(order, { host: '127.0.0.1', port });
  onTestFinished(async () => {
    await server.close(0);
    stock.value.close();
  });
  return { port, used, log, reported, url: (name: string) => `http://127.0.0.1:${port}/${token}/${name}` };
}

/** A raw connection; the request is sent byte for byte. */
function connection(port: number, localAddress = '127.0.0.1'): Socket {
  const socket = connect({ host: '127.0.0.1', port, localAddress, allowHalfOpen: true });
  onTestFinished(() => {
    socket.destroy();
  });
  return socket;
}

/** Sends a request and reads until the server closes its side. */
async function textOf(port: number, head: string, localAddress?: string): Promise<string> {
  const socket = connection(port, localAddress);
  socket.write(head);
  let text = '';
  socket.on('data', (piece: Buffer) => (text += piece.toString('latin1')));
  await once(socket, 'end');
  socket.end();
  return text;
}

const get = (name: string, more = ''): string => `GET /${token}/${name} HTTP/1.1\r\nHost: a\r\n${more}\r\n`;

test('a network boot of a site with a payload is reported, and the script says so', async () => {
  const { port, reported } = await started({
    made: () => ({ iso: medium, overlay: () => Promise.resolve(overlay), payloadName: 'a.payload' }),
  });
  const text = await textOf(port, get('boot.ipxe', 'Connection: close\r\n'));
  expect(text).toContain('\necho This site installs from a payload');
  expect(reported).toMatchObject([
    {
      code: 'payload/not-on-medium',
      severity: 'warning',
      message: 'north-1 boots by network, and installs from a.payload, which a network boot does not contain',
    },
  ]);
  await textOf(port, get('live.iso', 'Connection: close\r\n'));
  expect(reported.length).toBe(1);
});

test('with --once, bytes that the client did not acknowledge do not consume a token', async () => {
  const { port, used, log, url } = await started({ isOnce: true });
  const client = connection(port);
  client.pause();
  client.write(get('live.iso'));
  // The whole response fits into the socket buffers of both sides.
  await expect.poll(() => log.length).toBe(1);
  expect(log[0]).toMatchObject({ status: 200, isCut: false });
  client.resetAndDestroy();
  expect((await fetch(url('live.iso'), { method: 'HEAD' })).status).toBe(200);
  expect(used).toEqual([]);

  await (await fetch(url('live.iso'))).arrayBuffer();
  await expect.poll(() => used).toEqual(['north-1']);
});

test.each([
  { name: 'closes the connection', head: get('live.iso') },
  { name: 'has it closed', head: get('live.iso', 'Connection: close\r\n') },
  { name: 'fetched the initramfs', head: get('single-node-initrd.img') },
])('with --once, consumes a token after the download of a client that $name', async ({ head }) => {
  const { port, used } = await started({ isOnce: true });
  expect(await textOf(port, head)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  await expect.poll(() => used).toEqual(['north-1']);
});

test('with --once, counts parts when the client sends another request on the connection', async () => {
  const { port, used } = await started({ isOnce: true });
  const socket = connection(port);
  const [first, rest] = ['bytes=0-9', 'bytes=10-'].map((range) => get('live.iso', `Range: ${range}\r\n`));
  socket.write(first ?? '');
  await once(socket, 'data');
  expect(used).toEqual([]);
  socket.write(rest ?? '');
  socket.resume();
  await once(socket, 'end');
  expect(used).toEqual([]);
  socket.end();
  await expect.poll(() => used).toEqual(['north-1']);
});

const large = servedBytes(Buffer.alloc(24 * 1024 * 1024, 'a medium '));
const ofLarge = (): SiteMedia => ({ iso: large, overlay: () => Promise.resolve(overlay) });

test.each([
  { name: 'ends the token with the rest', headers: '', client: '127.0.0.1', ends: true },
  { name: 'does not where another client has it', headers: '', client: '127.0.0.2', ends: false },
  {
    name: 'ends it where another client names what it has a part of',
    headers: `If-Range: ${large.etag}\r\n`,
    client: '127.0.0.2',
    ends: true,
  },
])('with --once, resumes an interrupted download: $name', async ({ headers, client, ends }) => {
  const { port, used, log, url } = await started({ isOnce: true, made: ofLarge });
  const broken = connection(port);
  broken.write(get('live.iso'));
  const [piece] = (await once(broken, 'data')) as [Buffer];
  broken.resetAndDestroy();
  await expect.poll(() => log.map(({ isCut }) => isCut)).toEqual([true]);
  const has = piece.length - piece.indexOf('\r\n\r\n') - 4;
  expect(has).toBeGreaterThan(0);

  const rest = await textOf(
    port,
    get('live.iso', `Connection: close\r\nRange: bytes=${has}-\r\n${headers}`),
    client,
  ).catch(String);
  expect(rest).toMatch(/^HTTP\/1\.1 206 /);
  // The answer to another request shows that the first one was processed.
  await fetch(url('live.iso'), { method: 'HEAD' });
  await expect.poll(() => used).toEqual(ends ? ['north-1'] : []);
});

test('with --once, a client that resumes after the sent bytes gets only the rest', async () => {
  const { port, used, url } = await started({ isOnce: true });
  const head = (range: string): string => get('live.iso', `Connection: close\r\nRange: bytes=${range}\r\n`);
  await textOf(port, head('0-9'));
  await textOf(port, head('20-'));
  await fetch(url('live.iso'), { method: 'HEAD' });
  expect(used).toEqual([]);
  await textOf(port, head('10-19'));
  await expect.poll(() => used).toEqual(['north-1']);
});

test('with --once, closes keep-alive connections after the last byte', async () => {
  const { port, used } = await started({ isOnce: true });
  const [first, second] = [connection(port), connection(port)];
  first.write(get('live.iso', 'Range: bytes=0-149999\r\n'));
  await once(first, 'data');
  first.resume();
  second.write(get('live.iso', 'Range: bytes=150000-\r\n'));
  second.resume();
  await Promise.all([once(first, 'end'), once(second, 'end')]);
  expect(used).toEqual([]);
  first.end();
  second.end();
  await expect.poll(() => used).toEqual(['north-1']);
});

test('reads the file for one response of a connection at a time', async () => {
  const [piece, requests] = [1024, 50];
  const reads: (() => void)[] = [];
  const file: ServedFile = {
    ...medium,
    read: async (offset, length) => {
      await new Promise<void>((resolve) => reads.push(resolve));
      return Buffer.alloc(length, offset / piece);
    },
  };
  const media = (): SiteMedia => ({ iso: file, overlay: () => Promise.resolve(overlay) });
  const { port, url } = await started({ made: media });
  const client = connection(port);
  const ranges = Array.from({ length: requests }, (_, index) => index * piece);
  const responses = ranges.map((from) => get('live.iso', `Range: bytes=${from}-${from + piece - 1}\r\n`));
  let received = 0;
  client.on('data', (bytes: Buffer) => (received += bytes.length));
  client.write(responses.join(''));
  for (let answered = 1; answered <= requests; answered += 1) {
    await expect.poll(() => reads.length).toBe(answered);
    // Another connection is answered in the meantime.
    if (answered === 1) expect((await fetch(url('live.iso'), { method: 'HEAD' })).status).toBe(200);
    expect(reads.length).toBe(answered);
    reads.at(-1)?.();
  }
  await expect.poll(() => received).toBeGreaterThan(requests * piece);
});

test.each([
  ['two Host fields', 'Host: a\r\nHost: a\r\n'],
  ['two Host fields in other case', 'Host: a\r\nhOST: b\r\n'],
  ['an invalid Host', 'Host: a b\r\n'],
  ['no Host', ''],
])('answers a request with %s with 400', async (_, fields) => {
  const { port } = await started({});
  for (const path of ['/', `/${token}/live.iso`])
    expect(await textOf(port, `GET ${path} HTTP/1.1\r\n${fields}Connection: close\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 400 /,
    );
});

test('answers pipelined range requests with the right bytes', async () => {
  const bytes = Buffer.from(Uint32Array.from({ length: 1_000_000 }, (_, index) => index).buffer);
  const iso: ServedFile = {
    ...servedBytes(bytes),
    // Fills the given buffer, as reading a file does.
    read: (offset, length, into = Buffer.alloc(length)) => {
      bytes.copy(into, 0, offset, offset + length);
      return Promise.resolve(into.subarray(0, length));
    },
  };
  const { port } = await started({ made: () => ({ iso, overlay: () => Promise.resolve(overlay) }) });
  const ranges = [
    [0, 1_999_999],
    [70_000, 70_099],
    [1_900_000, 3_999_999],
  ] as const;
  const requests = ranges.map(([from, to]) => get('live.iso', `Range: bytes=${from}-${to}\r\n`));
  const last = get('live.iso', 'Range: bytes=0-0\r\nConnection: close\r\n');
  const text = await textOf(port, [...requests, last].join(''));
  const bodies = text.split(/HTTP\/1\.1 206 [^]*?\r\n\r\n/).slice(1, -1);
  expect(bodies.length).toBe(ranges.length);
  for (const [index, [from, to]] of ranges.entries())
    expect(bodies[index] === bytes.toString('latin1', from, to + 1)).toBe(true);
});

test('answers that are queued behind another one end with the connection', async () => {
  const { port, log } = await started({ made: ofLarge });
  const client = connection(port);
  client.write(get('live.iso').repeat(3));
  await once(client, 'data');
  client.resetAndDestroy();
  await expect.poll(() => log.map(({ isCut }) => isCut)).toEqual([true, true, true]);
});

test('answers an unreadable URL with 404, logs and counts it', async () => {
  const { port, log } = await started({ limits: { ...limits, requestsPerSecond: 2 } });
  const paths = ['/%zz', `/${'a'.repeat(200)}/live.iso`, '/nothing', '/%', '/%'];
  const answers: string[] = [];
  for (const path of paths)
    answers.push(await textOf(port, `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`));
  const withoutDates = answers.map((text) => text.replace(/^date:.*\r\n/im, ''));
  expect(new Set(withoutDates.slice(0, 4)).size).toBe(1);
  expect(withoutDates[0]).toMatch(/^HTTP\/1\.1 404 [\s\S]*\r\n\r\nnot found\n$/);
  expect(withoutDates[4]).toMatch(/^HTTP\/1\.1 429 /);
  await expect.poll(() => log.map(({ status }) => status)).toEqual([404, 404, 404, 404, 429]);
});

test('answers an invalid or late request with one line, and logs it', async () => {
  const { port, log } = await started({ limits: { ...limits, headMs: 300 } });
  expect(await textOf(port, 'no request\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(await textOf(port, `GET / HTTP/1.1\r\nX: ${'x'.repeat(9000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /);
  expect(await textOf(port, 'GET / HTTP/1.1\r\nHost:')).toMatch(/^HTTP\/1\.1 408 /);
  expect(log.map(({ client, status }) => `${client} ${status}`)).toEqual(
    [400, 431, 408].map((status) => `127.0.0.1 ${status}`),
  );
});

test('does not answer an invalid request within the body of another answer', async () => {
  const { port, log } = await started({ made: ofLarge });
  const client = connection(port);
  const pieces: Buffer[] = [];
  client.write(get('live.iso'));
  await once(client, 'readable');
  client.write('no request\r\n\r\n');
  await expect.poll(() => log.length).toBe(2);
  const closed = new Promise((resolve) => client.once('close', resolve));
  client.on('error', () => undefined);
  client.on('end', () => client.end());
  client.on('data', (piece: Buffer) => pieces.push(piece));
  await closed;
  expect(Buffer.concat(pieces).includes('HTTP/1.1 400')).toBe(false);
  expect(log.map(({ method, status, isCut }) => `${method} ${status} ${String(isCut)}`).toSorted()).toEqual([
    '? 400 true',
    'GET 200 true',
  ]);
});

test('logs an unexpected error without a token, and answers 404', async () => {
  const made = (): SiteMedia => {
    throw new Error(`no way to /${token}/live.iso`);
  };
  const { reported, url } = await started({ made });
  const answer = await fetch(url('live.iso'));
  expect([answer.status, await answer.text()]).toEqual([404, 'not found\n']);
  expect(reported).toEqual([
    {
      code: 'media/serve-fault',
      severity: 'error',
      message: 'a request failed: Error: no way to /…/live.iso',
    },
  ]);
});

test.each([
  { name: 'before it is begun', offset: 0 },
  { name: 'in its middle', offset: 262_144 },
])('aborts the download of an image that is written to $name, and logs it once', async ({ offset }) => {
  const iso: ServedFile = {
    ...medium,
    read: (from, length) => (from === offset ? Promise.resolve(undefined) : medium.read(from, length)),
  };
  const { reported, url, log } = await started({
    made: () => ({ iso, overlay: () => Promise.resolve(overlay) }),
  });
  const got = await fetch(url('live.iso'))
    .then((answer) => answer.arrayBuffer())
    .then(
      ({ byteLength }) => byteLength,
      () => 'cut off',
    );
  expect(got).toBe(offset === 0 ? 'not found\n'.length : 'cut off');
  expect(reported.map(({ code }) => code)).toEqual(['media/serve-fault']);
  await expect.poll(() => log).toHaveLength(1);
});

/** Resolves when the server closes or resets the connection. The client then closes its side. */
function closing(client: Socket): Promise<void> {
  client.on('error', () => undefined);
  client.on('end', () => client.end());
  return new Promise((resolve) => client.once('close', resolve));
}

test.each([
  { name: 'sends more bytes after its late head was refused', first: 'GET / HTTP/1.1\r\nHost:', then: 'x' },
  { name: 'sends line ends after an answer', first: get('nothing'), then: '\r\n' },
  { name: 'sends line ends and no request', first: '\r\n', then: '\r\n' },
])('a client that $name is cut off', async ({ first, then }) => {
  const { port } = await started({ limits: { ...limits, headMs: 300, idleMs: 300 } });
  const client = connection(port);
  const closed = closing(client);
  client.resume();
  client.write(first);
  const drip = setInterval(() => client.write(then), 50);
  await closed;
  clearInterval(drip);
});

test('requests without Host, with an unknown expectation and for a tunnel are answered, logged and counted', async () => {
  const { port, log } = await started({ limits: { ...limits, requestsPerSecond: 2 } });
  const line = async (head: string): Promise<string> =>
    (await textOf(port, head)).split('\r\n')[0]?.slice('HTTP/1.1 '.length) ?? '';
  expect(await line('GET / HTTP/1.1\r\nConnection: close\r\n\r\n')).toBe('400 Bad Request');
  expect(await line(get('live.iso', 'Expect: a miracle\r\nConnection: close\r\n'))).toBe('200 OK');
  expect(await line('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n')).toBe('405 Method Not Allowed');
  await line('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
  expect(await line('GET / HTTP/1.0\r\n\r\n')).toBe('429 Too Many Requests');
  await expect.poll(() => log.map(({ status }) => status)).toEqual([400, 200, 405, 405, 429]);
});

test('stops a download when its token is revoked', async () => {
  let isGood = true;
  const { port, log, reported } = await started({ made: ofLarge, isGood: () => isGood });
  const client = connection(port);
  const closed = closing(client);
  client.write(get('live.iso'));
  await once(client, 'data');
  isGood = false;
  await closed;
  await expect.poll(() => log).toMatchObject([{ status: 200, isCut: true }]);
  expect(log[0]?.sentBytes).toBeLessThan(large.bytes);
  expect(reported).toEqual([]);
});

test('with --once, one of several parallel downloads completes', async () => {
  const { port, used, log } = await started({ isOnce: true, made: ofLarge });
  const downloads = Array.from({ length: 8 }, async () => {
    const client = connection(port);
    const closed = closing(client);
    client.write(get('live.iso', 'Connection: close\r\n'));
    let bytes = 0;
    client.on('data', (piece: Buffer) => (bytes += piece.length));
    await closed;
    return bytes;
  });
  const sizes = await Promise.all(downloads);
  expect(sizes.filter((bytes) => bytes >= large.bytes)).toHaveLength(1);
  expect(used).toEqual(['north-1']);
  await expect.poll(() => log.filter(({ isCut }) => isCut)).toHaveLength(7);
});

test('with --once, another download completes if the first is interrupted at its last part', async () => {
  const { port, used } = await started({ isOnce: true });
  const first = connection(port);
  first.pause();
  first.write(get('live.iso'));
  await once(first, 'readable');
  const second = textOf(port, get('live.iso', 'Connection: close\r\n'));
  first.resetAndDestroy();
  expect((await second).length).toBeGreaterThan(medium.bytes);
  await expect.poll(() => used).toEqual(['north-1']);
});

test('serves good clients beside many bad ones, and frees every bad connection', async () => {
  const { port, log, url } = await started({
    limits: { ...limits, connections: 200, headMs: 2000, idleMs: 2000 },
  });
  const storm = Array.from({ length: 20 }, (_, at) =>
    get('live.iso', `Range: bytes=${at * 7}-${at * 7}\r\n`),
  ).join('');
  const kinds = [
    { first: 'GET /x', then: 'y' },
    { first: '', then: '\r\n' },
    { first: '', then: '' },
    { first: storm, then: '\r\n' },
  ];
  const bad = Array.from({ length: 80 }, (_, index) => {
    const { first = '', then = '' } = kinds[index % kinds.length] ?? {};
    const client = connection(port, `127.0.1.${1 + (index % 20)}`);
    const closed = closing(client);
    client.resume();
    client.write(first);
    const drip = setInterval(() => client.write(then), 50);
    return closed.finally(() => {
      clearInterval(drip);
    });
  });
  expect((await (await fetch(url('live.iso'))).arrayBuffer()).byteLength).toBe(medium.bytes);
  await Promise.all(bad);
  expect((await (await fetch(url('live.iso'))).arrayBuffer()).byteLength).toBe(medium.bytes);
  expect(log.map(({ status }) => status)).toEqual(expect.arrayContaining([206, 408]));
});

test.each([
  {
    name: 'expired',
    bootableUntil: new Date('2026-01-01T00:00:00Z'),
    refusesOutdated: false,
    words: undefined,
    want: [410, 'this medium is refused: its certificates expired at 2026-01-01T00:00:00Z\n'],
  },
  {
    name: 'outdated',
    bootableUntil: new Date('9999-01-01T00:00:00Z'),
    refusesOutdated: true,
    words: 'outdated: inputs changed',
    want: [409, 'this medium is refused: it is outdated: inputs changed\n'],
  },
])('refuses a medium that is $name with the reason, and logs it', async (each) => {
  const outdated = { refresh: () => Promise.resolve(), of: () => each.words };
  const { bootableUntil, refusesOutdated, want } = each;
  const made = (): SiteMedia => ({ iso: medium, overlay: () => Promise.resolve(overlay), bootableUntil });
  const { url, log, reported } = await started({ made, outdated, refusesOutdated });
  for (const file of ['live.iso', 'boot.ipxe', 'single-node-initrd.img']) {
    const answer = await fetch(url(file));
    expect([answer.status, await answer.text()]).toEqual(want);
  }
  expect(log.map(({ status }) => status)).toEqual([want[0], want[0], want[0]]);
  expect(reported.map(({ code }) => code)).toEqual(Array.from({ length: 3 }, () => 'media/serve-outdated'));
});

test('an outdated medium is served unless it is to be refused', async () => {
  const outdated = { refresh: () => Promise.resolve(), of: () => 'outdated: inputs changed' };
  const { url } = await started({ outdated });
  expect((await fetch(url('live.iso'), { method: 'HEAD' })).status).toBe(200);
});
