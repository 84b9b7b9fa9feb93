import {
  createServer as createPlainServer,
  type IncomingMessage,
  type RequestListener,
  type Server as PlainServer,
} from 'node:http';
import { createServer } from 'node:https';
import { createServer as createTcpServer, type Server } from 'node:net';

import { beforeAll, expect, onTestFinished, test } from 'vitest';

import { queryManifest } from '../../../src/remote/queries/query-manifest.js';
import { queryImage } from '../../../src/remote/queries/run-queries.js';
import { nameServers } from '../../../src/remote/queries/name-servers.js';
import { trustWith } from '../../../src/remote/http/connection.js';
import { sha256 } from '../../../src/formats/sha256.js';
import type { PullAnswer } from '../../../src/remote/preflight/answers.js';
import { selfSigned } from '../../support/openssl.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { describeWith } from '../../support/programs.js';

const manifest = '{"schemaVersion":2}';
const digest = `sha256:${sha256(Buffer.from(manifest))}`;
const type = { 'content-type': 'application/vnd.oci.image.manifest.v1+json' };
const credentials = Buffer.from('user:pass-of-user').toString('base64');

let cert = '';
let key = '';
beforeAll(() => {
  ({ cert, key } = selfSigned());
});

async function listening(server: Server): Promise<number> {
  onTestFinished(() => {
    server.close();
  });
  return listeningPort(server);
}

interface SeenRequest {
  readonly isByTag?: boolean;
  readonly authorities?: string;
  readonly proxy?: string;
  readonly hasLogin?: boolean;
  readonly timeoutMs?: number;
}

/** The result for a registry at this port. */
function ask(port: number, given: SeenRequest = {}): Promise<PullAnswer> {
  const { isByTag = false, authorities = cert, proxy, hasLogin = true, timeoutMs = 5000 } = given;
  const registry = `127.0.0.1:${port}`;
  const { lookup } = nameServers([], timeoutMs);
  return queryManifest(
    {
      registry,
      repository: `${registry}/ocp/release`,
      reference: isByTag ? '4.21.0' : digest,
      digest: isByTag ? undefined : digest,
      isMirror: false,
    },
    {
      way: { proxy: proxy === undefined ? {} : { httpsProxy: proxy }, lookup, trust: trustWith(authorities) },
      credentials: hasLogin ? credentials : undefined,
      timeoutMs,
    },
  );
}

/** The result for a registry with these answers. */
async function askRegistry(answer: RequestListener, given?: SeenRequest): Promise<PullAnswer> {
  return ask(await listening(createServer({ cert, key }, answer)), given);
}

const challenge = (realm: string): Readonly<Record<string, string>> => ({
  'www-authenticate': `Bearer realm="${realm}",service="s"`,
});

describeWith(['openssl'], 'a registry', () => {
  test.each<{ name: string; answer: RequestListener; given?: SeenRequest; want: PullAnswer }>([
    {
      name: 'that has the image',
      answer: (_, response) => response.writeHead(200, type).end(manifest),
      want: { kind: 'found', digest },
    },
    {
      name: 'that has it by tag',
      answer: ({ url }, response) =>
        response.writeHead(url?.endsWith('/4.21.0') ? 200 : 404, type).end(manifest),
      given: { isByTag: true },
      want: { kind: 'found', digest },
    },
    {
      name: 'that has something else under the digest',
      answer: (_, response) => response.writeHead(200, type).end('{}'),
      want: { kind: 'wrong-digest', digest: `sha256:${sha256(Buffer.from('{}'))}` },
    },
    {
      name: 'that fails',
      answer: (_, response) => response.writeHead(503).end('pass-of-user'),
      want: { kind: 'failing', reason: 'the registry failed (HTTP 503)' },
    },
    {
      name: 'that stops in the middle',
      answer: (_, response) => {
        response
          .writeHead(200, { ...type, 'content-length': '1000' })
          .write('{"schema', () => response.destroy());
      },
      want: { kind: 'failing', reason: 'the response is incomplete' },
    },
    {
      name: 'that does not end',
      answer: (_, response) => {
        response.writeHead(200, type);
        const more = (): void => {
          if (!response.destroyed) response.write(Buffer.alloc(1024 * 1024), more);
        };
        more();
      },
      want: { kind: 'failing', reason: 'the response is too large' },
    },
    {
      name: 'that is slow',
      answer: (_, response) => response.writeHead(200, type).write('{'),
      given: { timeoutMs: 300 },
      want: { kind: 'unreachable', reason: 'timed out' },
    },
    {
      name: 'that is a page',
      answer: (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      want: { kind: 'failing', reason: 'the server is not a registry' },
    },
    {
      name: 'that sends around in circles',
      answer: ({ url }, response) => response.writeHead(307, { location: url ?? '' }).end(),
      want: { kind: 'failing', reason: 'too many redirects, or a redirect without TLS' },
    },
    {
      name: 'that sends to a place without TLS',
      answer: (_, response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      want: { kind: 'failing', reason: 'too many redirects, or a redirect without TLS' },
    },
    {
      name: 'that wants a password and takes this one',
      answer: ({ headers }, response) =>
        headers.authorization === `Basic ${credentials}`
          ? response.writeHead(200, type).end(manifest)
          : response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end(),
      want: { kind: 'found', digest },
    },
    {
      name: 'that wants a password which there is not',
      answer: (_, response) => response.writeHead(401, { 'www-authenticate': 'Basic realm="r"' }).end(),
      given: { hasLogin: false },
      want: { kind: 'refused', reason: 'pullSecret has no credentials for this registry (HTTP 401)' },
    },
    {
      name: 'that wants a token, gives one and takes it',
      answer: ({ headers, url = '' }, response) => {
        const scope = 'scope=repository%3Aocp%2Frelease%3Apull';
        if (url.startsWith('/token'))
          response.end(url.includes('service=s') && url.includes(scope) ? '{"access_token":"t"}' : '{}');
        else if (headers.authorization === 'Bearer t') response.writeHead(200, type).end(manifest);
        else response.writeHead(401, challenge(`https://${headers.host ?? ''}/token`)).end();
      },
      want: { kind: 'found', digest },
    },
    {
      name: 'that wants a token of a place without TLS, which is not asked',
      answer: (_, response) => response.writeHead(401, challenge('http://127.0.0.1:1/token')).end(),
      want: { kind: 'failing', reason: 'the token server does not use TLS' },
    },
    {
      name: 'that gives something else for a token',
      answer: ({ headers, url = '' }, response) =>
        url.startsWith('/token')
          ? response.end('{"token":"a\\r\\nb"}')
          : response.writeHead(401, challenge(`https://${headers.host ?? ''}/token`)).end(),
      want: { kind: 'failing', reason: 'the token server returned no token' },
    },
  ])('$name', async ({ answer, given, want }) => {
    expect(await askRegistry(answer, given)).toEqual(want);
  });

  test('of an unknown authority', async () => {
    const answer = await askRegistry((_, response) => response.end(), { authorities: '' });
    expect(answer).toEqual({ kind: 'untrusted', reason: 'certificate is self-signed' });
  });

  test('that sends elsewhere does not send the password along', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listening(
      createServer({ cert, key }, ({ headers }, response) => {
        seen.push(headers.authorization);
        response.writeHead(200, type).end(manifest);
      }),
    );
    const answer = await askRegistry(({ headers }, response) =>
      headers.authorization === undefined
        ? response.writeHead(401, { 'www-authenticate': 'Basic' }).end()
        : response.writeHead(307, { location: `https://127.0.0.1:${other}/` }).end(),
    );
    expect([answer.kind, seen]).toEqual(['found', [undefined]]);
  });

  test.each([
    { name: 'that has the signature', needsSignature: true, seen: 2, code: undefined },
    { name: 'without the signature', needsSignature: true, seen: 2, code: 'preflight/signature-missing' },
    { name: 'of an image without a policy', needsSignature: false, seen: 1, code: undefined },
    {
      name: 'of a list, whose images have their own',
      needsSignature: true,
      isList: true,
      seen: 1,
      code: undefined,
    },
  ])('$name', async ({ needsSignature, isList, seen, code }) => {
    const requested: (string | undefined)[] = [];
    const list = { 'content-type': 'application/vnd.oci.image.index.v1+json' };
    const port = await listening(
      createServer({ cert, key }, ({ url }, response) => {
        requested.push(url);
        const isSignature = url?.endsWith(`/manifests/${digest.replace(':', '-')}.sig`) === true;
        if (isSignature && code !== undefined) response.writeHead(404).end();
        else response.writeHead(200, isList === true ? list : type).end(manifest);
      }),
    );
    const registry = `127.0.0.1:${port}`;
    const place = { registry, repository: `${registry}/a`, reference: digest, digest, isMirror: true };
    const checks = await queryImage(
      { name: 'release', image: `quay.io/a@${digest}`, places: [place], needsSignature },
      {
        way: { proxy: {}, lookup: nameServers([], 5000).lookup, trust: trustWith(cert) },
        pullSecret: '{"auths":{}}',
        timeoutMs: 5000,
      },
    );
    expect([requested.length, checks.map((check) => check.code)]).toEqual([
      seen,
      Array.from({ length: seen }, (_, index) => (index === 1 ? code : undefined)),
    ]);
  });

  test('at a closed port and at another server', async () => {
    expect(await ask(await freePort())).toEqual({ kind: 'unreachable', reason: 'connection refused' });
    const noTls = await listening(createTcpServer((socket) => socket.end('220 hello\r\n')));
    expect(await ask(noTls)).toEqual({
      kind: 'unreachable',
      reason: 'server does not use TLS',
    });
    const silent = await listening(createTcpServer());
    const answer = await ask(silent, { timeoutMs: 300 });
    expect(answer).toEqual({ kind: 'unreachable', reason: 'timed out' });
  });
});

describeWith(['openssl'], 'a proxy', () => {
  /** An address of another machine; the proxy is bypassed for this one. */
  const far = {
    registry: '192.0.2.1',
    repository: '192.0.2.1/a',
    reference: digest,
    digest,
    isMirror: false,
  };

  async function askThrough(proxyUrl: string, timeoutMs = 5000): Promise<PullAnswer> {
    const way = {
      proxy: { httpsProxy: proxyUrl },
      lookup: nameServers([], 1000).lookup,
      trust: trustWith(cert),
    };
    return queryManifest(far, { way, credentials: undefined, timeoutMs });
  }

  async function proxyThat(connect: Parameters<PlainServer['on']>[1]): Promise<string> {
    return `http://via:pass-of-proxy@127.0.0.1:${await listening(createPlainServer().on('connect', connect))}`;
  }

  test.each<{ name: string; says: string; want: string }>([
    { name: 'refuses', says: 'HTTP/1.1 403 Forbidden\r\n\r\n', want: 'connection rejected (HTTP 403)' },
    { name: 'wants other credentials', says: 'HTTP/1.1 407 No\r\n\r\n', want: 'invalid credentials' },
    { name: 'hangs up', says: '', want: 'connection closed' },
  ])('that $name', async ({ says, want }) => {
    const proxy = await proxyThat((_: unknown, socket: { end: (text: string) => void }) => {
      socket.end(says);
    });
    expect(await askThrough(proxy)).toEqual({ kind: 'proxy', reason: `proxy failure: ${want}` });
  });

  test('that is not there, or does not answer', async () => {
    const unreachable = await askThrough(`http://127.0.0.1:${await freePort()}`);
    expect(unreachable).toEqual({ kind: 'proxy', reason: 'proxy failure: connection refused' });
    const silent = await askThrough(`http://127.0.0.1:${await listening(createTcpServer())}`, 300);
    expect(silent).toEqual({ kind: 'proxy', reason: 'proxy failure: timed out' });
  });

  test('receives its password with the host and port of the registry', async () => {
    const seen: unknown[] = [];
    const proxy = await proxyThat(
      ({ url, headers }: IncomingMessage, socket: { end: (text: string) => void }) => {
        seen.push(url, headers['proxy-authorization']);
        socket.end('HTTP/1.1 502 No\r\n\r\n');
      },
    );
    await askThrough(proxy);
    expect(seen).toEqual(['192.0.2.1:443', `Basic ${Buffer.from('via:pass-of-proxy').toString('base64')}`]);
  });
});
