import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { lookup } from 'node:dns';
import { join } from 'node:path';

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';

import type { Result } from '../../../src/core/result.js';
import { sha256 } from '../../../src/formats/sha256.js';
import {
  downloadFile,
  sizeOf,
  type Downloaded,
  type DownloadEdge,
} from '../../../src/remote/download/download-file.js';
import { openPartialDownload } from '../../../src/disk/image/partial-download.js';
import { trustWith } from '../../../src/remote/http/connection.js';
import { liveIsoBytes } from '../../media/support/stream-json.js';
import { selfSigned } from '../../support/openssl.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';
import { scratchFolder } from '../../support/scratch.js';

const whole = liveIsoBytes;
const length = whole.length;
const etag = '"one"';

/** Answers with the whole file, or with the requested part of it, as RFC 9110 says. */
function sound({ headers }: IncomingMessage, response: ServerResponse, validator = etag): void {
  const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === validator;
  if (headers.range !== undefined && isCurrent)
    response
      .writeHead(206, { etag: validator, 'content-range': `bytes ${from}-${length - 1}/${length}` })
      .end(whole.subarray(from));
  else response.writeHead(200, { etag: validator, 'content-length': length }).end(whole);
}

/** Sends a part of the file and closes the connection. */
function cut(response: ServerResponse, bytes: number, validator = etag): void {
  response
    .writeHead(200, { 'content-length': length, etag: validator })
    .write(whole.subarray(0, bytes), () => response.destroy());
}

/** One answer per request; the last one is repeated. */
type Script = readonly RequestListener[];

interface Run {
  readonly result: Result<Downloaded>;
  /** Range and If-Range of each request. */
  readonly requests: readonly string[];
  readonly pauses: readonly number[];
  readonly path: string;
}

interface Given {
  readonly path?: string;
  readonly hash?: string;
  readonly stop?: AbortSignal;
}

async function run(
  script: Script,
  { path = join(scratchFolder(), 'live.iso'), hash, stop }: Given = {},
): Promise<Run> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const answer = script[Math.min(requests.length, script.length - 1)];
    requests.push([request.headers.range, request.headers['if-range']].filter(Boolean).join(' '));
    answer?.(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const port = await listeningPort(server);
  return {
    ...(await fetchFrom(new URL(`http://127.0.0.1:${port}/live.iso`), { path, hash, stop })),
    requests,
    path,
  };
}

async function fetchFrom(
  url: URL,
  {
    path,
    hash = sha256(whole),
    stop,
    trust,
  }: {
    readonly path: string;
    readonly hash?: string | undefined;
    readonly stop?: AbortSignal | undefined;
    readonly trust?: string;
  },
): Promise<Pick<Run, 'result' | 'pauses'>> {
  const pauses: number[] = [];
  const edge: DownloadEdge = {
    way: { proxy: {}, lookup, trust: trustWith(trust ?? '') },
    stop: stop ?? new AbortController().signal,
    now: () => new Date('2026-01-01T00:00:00Z'),
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    onProgress: () => undefined,
  };
  const result = await downloadFile({ url, path, sha256: hash, command: 'sno-install media download' }, edge);
  return { result, pauses };
}

/** Code and message without the port. */
function problemOf({ result }: Pick<Run, 'result'>): string {
  if (result.ok) return result.value.state;
  return result.problems
    .map(({ code, message }) => `${code}: ${message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')}`)
    .join('\n');
}

const failing =
  (status: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end('an error page');

describe('a server', () => {
  test.each<{ name: string; script: Script; requests: readonly string[]; pauses?: readonly number[] }>([
    { name: 'that sends the file', script: [sound], requests: [''] },
    {
      name: 'that cuts the connection twice',
      script: [
        (_, response) => {
          cut(response, 10);
        },
        (_, response) => {
          response.writeHead(206, { etag, 'content-range': `bytes 10-${length - 1}/${length}` });
          response.write(whole.subarray(10, 20), () => response.destroy());
        },
        sound,
      ],
      requests: ['', `bytes=10- ${etag}`, `bytes=20- ${etag}`],
      pauses: [1000, 1000],
    },
    {
      name: 'that ignores ranges',
      script: [
        (_, response) => {
          cut(response, 10);
        },
        (_, response) => response.writeHead(200, { 'content-length': length }).end(whole),
      ],
      requests: ['', `bytes=10- ${etag}`],
      pauses: [1000],
    },
    {
      name: 'whose file changes after a cut',
      script: [
        (_, response) => {
          cut(response, 10, '"old"');
        },
        sound,
      ],
      requests: ['', 'bytes=10- "old"'],
      pauses: [1000],
    },
    {
      name: 'that sends a part of a changed file in spite of If-Range',
      script: [
        (_, response) => {
          cut(response, 10, '"old"');
        },
        (_, response) =>
          response
            .writeHead(206, { etag, 'content-range': `bytes 10-${length - 1}/${length}` })
            .end(whole.subarray(10)),
        sound,
      ],
      requests: ['', 'bytes=10- "old"', ''],
      pauses: [1000, 0],
    },
    {
      name: 'that sends another range',
      script: [
        (_, response) => {
          cut(response, 10);
        },
        (_, response) =>
          response.writeHead(206, { etag, 'content-range': `bytes 0-${length - 1}/${length}` }).end(whole),
        sound,
      ],
      requests: ['', `bytes=10- ${etag}`, ''],
      pauses: [1000, 0],
    },
    {
      name: 'that has a weak validator only',
      script: [
        (_, response) => {
          cut(response, 10, 'W/"weak"');
        },
        sound,
      ],
      requests: ['', 'bytes=10-'],
      pauses: [1000],
    },
    {
      name: 'that is overloaded and says when to come again',
      script: [
        failing(503, { 'retry-after': '7' }),
        failing(429, { 'retry-after': 'Thu, 01 Jan 2026 00:00:03 GMT' }),
        sound,
      ],
      requests: ['', '', ''],
      pauses: [7000, 3000],
    },
    {
      name: 'that wants a pause of a day',
      script: [failing(503, { 'retry-after': '86400' }), sound],
      requests: ['', ''],
      pauses: [60_000],
    },
    {
      name: 'that fails three times',
      script: [failing(500), failing(502), failing(504), sound],
      requests: ['', '', '', ''],
      pauses: [1000, 2000, 4000],
    },
    {
      name: 'that sends no length',
      script: [(_, response) => response.writeHead(200).end(whole)],
      requests: [''],
    },
    {
      name: 'that redirects',
      script: [failing(302, { location: '/other' }), sound],
      requests: ['', ''],
    },
  ])('$name', async ({ script, requests, pauses = [] }) => {
    const { path, ...ran } = await run(script);
    expect([problemOf(ran), ran.requests, ran.pauses]).toEqual(['downloaded', requests, pauses]);
    expect(readFileSync(path)).toEqual(whole);
    expect(readdirSync(join(path, '..'))).toEqual(['live.iso']);
  });

  test.each<{ name: string; script: Script; hash?: string; want: string }>([
    {
      name: 'that does not have it',
      script: [failing(404)],
      want: 'media/download: cannot download http://HOST/live.iso: HTTP 404, the server does not have it',
    },
    {
      name: 'that wants a login',
      script: [failing(401)],
      want: 'media/download: cannot download http://HOST/live.iso: HTTP 401, the server requires a login',
    },
    {
      name: 'that fails all the time',
      script: [failing(500)],
      want: 'media/download: cannot download http://HOST/live.iso: HTTP 500',
    },
    {
      name: 'that closes each connection',
      script: [(_, response) => response.destroy()],
      want: 'media/download: cannot download http://HOST/live.iso: connection closed',
    },
    {
      name: 'that compresses',
      script: [(_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(whole)],
      want: 'media/download: cannot download http://HOST/live.iso: the server sends it compressed (Content-Encoding: gzip)',
    },
    {
      name: 'that redirects in a circle',
      script: [failing(301, { location: '/live.iso' })],
      want: 'media/download: cannot download http://HOST/live.iso: too many redirects',
    },
    {
      name: 'that redirects to a file',
      script: [failing(301, { location: 'file:///etc/passwd' })],
      want: 'media/download: cannot download http://HOST/live.iso: a redirect has no http or https URL',
    },
    {
      name: 'that answers with a page',
      script: [(_, response) => response.writeHead(200).end('<html>log in</html>')],
      want: `media/checksum: http://HOST/live.iso (19 bytes) does not have the published SHA-256 ${sha256(whole)}`,
    },
    {
      name: 'that announces a shorter file',
      script: [(_, response) => response.writeHead(200, { 'content-length': '5' }).end(whole.subarray(0, 5))],
      want: `media/checksum: http://HOST/live.iso (5 bytes) does not have the published SHA-256 ${sha256(whole)}`,
    },
    {
      name: 'that announces a file larger than the disk',
      script: [
        (_, response) => void response.writeHead(200, { 'content-length': String(10 ** 15 - 1) }).write('a'),
      ],
      want: 'dir/not-writable: PATH needs 953674317 MiB more, but its file system has only N MiB free',
    },
  ])('$name gives a problem and no file', async ({ script, want }) => {
    const { path, ...ran } = await run(script);
    expect(
      problemOf(ran)
        .replace(path, 'PATH')
        .replace(/only \d+/, 'only N'),
    ).toBe(want);
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}.download`)).toBe(false);
  });

  test('a hint names the URL and the commands of a manual download', async () => {
    const { result } = await run([failing(404)]);
    const hash = sha256(whole);
    expect(result.ok ? '' : result.problems[0]?.hint?.replace(/127\.0\.0\.1:\d+/, 'HOST')).toBe(
      `download http://HOST/live.iso on another machine, and check it: echo "${hash}  live.iso" | sha256sum --check`,
    );
  });
});

describe('a second run', () => {
  test('continues after the bytes of the first', async () => {
    const path = join(scratchFolder(), 'live.iso');
    await run(
      [
        (_, response) => {
          cut(response, 10);
        },
        failing(403),
      ],
      { path },
    );
    const { requests, ...ran } = await run([sound], { path });
    expect([problemOf(ran), requests]).toEqual(['downloaded', [`bytes=10- ${etag}`]]);
    expect(readFileSync(path)).toEqual(whole);
  });

  test('starts again if the bytes of the first were others and the server has no validator', async () => {
    const path = join(scratchFolder(), 'live.iso');
    const old: RequestListener = (_, response) =>
      response.writeHead(200, { 'content-length': length }).write('old bytes!', () => response.destroy());
    await run([old, failing(403)], { path });
    const { requests, ...ran } = await run([sound], { path });
    expect([problemOf(ran), requests]).toEqual(['downloaded', ['bytes=10-', '']]);
    expect(readFileSync(path)).toEqual(whole);
  });

  test('discards the bytes of another image', async () => {
    const path = join(scratchFolder(), 'live.iso');
    await run(
      [
        (_, response) => {
          cut(response, 10);
        },
        failing(403),
      ],
      { path, hash: sha256('another') },
    );
    expect((await run([sound], { path })).requests).toEqual(['']);
  });

  test('needs no request if all bytes are there already', async () => {
    const path = join(scratchFolder(), 'live.iso');
    await run([sound], { path });
    const { requests, ...ran } = await run([failing(500)], { path });
    expect([problemOf(ran), requests]).toEqual(['present', []]);
  });

  test('finishes a download that has all bytes and no name', async () => {
    const path = join(scratchFolder(), 'live.iso');
    mkdirSync(`${path}.download`);
    writeFileSync(`${path}.download/data`, whole);
    writeFileSync(`${path}.download/source.json`, JSON.stringify({ sha256: sha256(whole), validator: etag }));
    const ran = await run([failing(416, { 'content-range': `bytes */${length}` })], { path });
    expect([problemOf(ran), readFileSync(path)]).toEqual(['downloaded', whole]);
  });

  test('does not replace a file with other contents', async () => {
    const path = join(scratchFolder(), 'live.iso');
    writeFileSync(path, 'a file of the user');
    const ran = await run([sound], { path });
    expect([problemOf(ran), ran.requests, readFileSync(path, 'utf8')]).toEqual([
      `media/output: ${path} exists and is not this image: it has another SHA-256 than the published one`,
      [],
      'a file of the user',
    ]);
  });

  test('does not write at the same time as another one', async () => {
    const path = join(scratchFolder(), 'live.iso');
    const other = await openPartialDownload({
      path,
      sha256: sha256(whole),
      command: 'sno-install media download',
    });
    if (other.ok)
      onTestFinished(() => {
        other.value.close();
      });
    expect(problemOf(await run([sound], { path }))).toMatch(
      /^dir\/locked: another run uses this directory: `sno-install media download`/,
    );
  });

  test('continues after an interruption', async () => {
    const path = join(scratchFolder(), 'live.iso');
    const stop = new AbortController();
    const silent: RequestListener = (_, response) => {
      response.writeHead(200, { etag, 'content-length': length }).write(whole.subarray(0, 10), () => {
        stop.abort();
      });
    };
    const first = await run([silent], { path, stop: stop.signal });
    expect(problemOf(first)).toMatch(
      /^media\/download: the download of \S+ was interrupted after \d+ bytes$/,
    );
    expect([problemOf(await run([sound], { path })), readFileSync(path)]).toEqual(['downloaded', whole]);
  });
});

test('a folder that cannot be written is a problem', async () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'file'), '');
  const path = join(folder, 'file/live.iso');
  expect(problemOf(await run([sound], { path }))).toMatch(/^(dir\/not-writable|media\/output): /);
});

test('a server that is not there is a problem', async () => {
  const url = new URL(`http://127.0.0.1:${await freePort()}/live.iso`);
  const ran = await fetchFrom(url, { path: join(scratchFolder(), 'live.iso') });
  expect(problemOf(ran)).toBe('media/download: cannot download http://HOST/live.iso: connection refused');
});

describeWith(['openssl'], 'over TLS', () => {
  let cert = '';
  let key = '';
  beforeAll(() => {
    ({ cert, key } = selfSigned());
  });

  async function secure(answer: RequestListener): Promise<URL> {
    const server = createSecureServer({ cert, key }, answer);
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return new URL(`https://127.0.0.1:${await listeningPort(server)}/live.iso`);
  }

  test.each<{ name: string; answer: RequestListener; isTrusted?: boolean; want: string }>([
    { name: 'a trusted server', answer: sound, want: 'downloaded' },
    {
      name: 'an untrusted server',
      answer: sound,
      isTrusted: false,
      want: 'media/download: cannot download https://HOST/live.iso: certificate is self-signed',
    },
    {
      name: 'a redirect to http',
      answer: failing(302, { location: 'http://mirror.example.com/live.iso' }),
      want: 'media/download: cannot download https://HOST/live.iso: a redirect leads from https to http, to mirror.example.com',
    },
  ])('$name', async ({ answer, isTrusted = true, want }) => {
    const path = join(scratchFolder(), 'live.iso');
    expect(
      problemOf(await fetchFrom(await secure(answer), { path, ...(isTrusted && { trust: cert }) })),
    ).toBe(want);
    rmSync(path, { force: true });
  });
});

test('the size comes from the headers', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.method === 'HEAD' ? 200 : 500, { 'content-length': '1234' }).end();
  });
  onTestFinished(() => {
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${await listeningPort(server)}/live.iso`);
  const size = await sizeOf(
    { url, sha256: sha256(whole), path: 'live.iso', command: '' },
    { way: { proxy: {}, lookup }, stop: new AbortController().signal },
  );
  expect(size).toMatchObject({ ok: true, value: 1234 });
});
