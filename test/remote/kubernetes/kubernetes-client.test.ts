import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';

import { connect } from '../../../src/remote/kubernetes/kubernetes-client.js';
import type { ApiAnswer, ApiRequest, ClusterClient, Reading } from '../../../src/remote/kubernetes/reader.js';
import { listeningPort } from '../../support/ports.js';
import { expectOk } from '../../support/sound-value.js';
import { apiCertificates, apiName, kubeconfigText, throwawayAuthority, type Pair } from './throwaway-tls.js';

const { authority, serving, admin } = await apiCertificates();

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** Starts an API server on loopback with one answer and returns its port. */
async function serve(answer: Answer, pair: Pair = serving): Promise<number> {
  const server = createHttpsServer({ cert: pair.certPem, key: pair.keyPem, ca: authority.certPem }, answer);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return listeningPort(server);
}

function json(status: number, body: unknown): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
}

/** Sends JSON without end, as fast as the client reads it. */
function endless(response: ServerResponse): void {
  const piece = Buffer.alloc(1024 * 1024, ' ');
  const send = (): void => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', send);
  send();
}

interface Trial {
  readonly text: string;
  readonly isTrusted?: true;
  readonly stop?: AbortSignal;
  readonly present?: Date;
}

async function readerOf({ text, isTrusted, stop, present = new Date() }: Trial): Promise<ClusterClient> {
  const path = 'site1/auth/kubeconfig';
  const never = new AbortController().signal;
  return expectOk(
    await connect({
      path,
      text,
      ...(isTrusted && { isTrusted }),
      stop: stop ?? never,
      present: () => present,
    }),
  );
}

/** Requests the ClusterVersion at a port, under the name of the API. */
async function askAt(
  port: number,
  more: Partial<Trial> & { readonly caPem?: string } = {},
): Promise<Reading> {
  const server = `https://127.0.0.1:${port}`;
  const text = kubeconfigText({
    server,
    caPem: more.caPem ?? authority.certPem,
    client: admin,
    cluster: { 'tls-server-name': apiName },
  });
  const reader = await readerOf({ text, ...more });
  expect(reader.server).toBe(server);
  return reader.clusterVersion();
}

const fault = (kind: string, detail: unknown): object => ({ kind: 'fault', fault: { kind, detail } });

describe('an answer', () => {
  it('of an object is handed on as it is', async () => {
    const version = {
      kind: 'ClusterVersion',
      status: { conditions: [{ type: 'Available', status: 'True' }] },
    };
    expect(await askAt(await serve(json(200, version)))).toEqual({ kind: 'found', object: version });
  });

  it('is requested at the path of the object', async () => {
    const paths: string[] = [];
    const port = await serve((request, response) => {
      paths.push(request.url ?? '');
      json(404, {})(request, response);
    });
    const server = `https://127.0.0.1:${port}`;
    const cluster = { 'tls-server-name': apiName };
    const reader = await readerOf({ text: kubeconfigText({ server, caPem: authority.certPem, cluster }) });
    await reader.bootstrapConfigMap();
    await reader.nodes();
    await reader.clusterVersion();
    await reader.clusterOperators();
    await reader.machineConfigPools();
    await reader.consoleConfig();
    await reader.routerAuthority();

    expect(paths).toEqual([
      '/api/v1/namespaces/kube-system/configmaps/bootstrap',
      '/api/v1/nodes',
      '/apis/config.openshift.io/v1/clusterversions/version',
      '/apis/config.openshift.io/v1/clusteroperators',
      '/apis/machineconfiguration.openshift.io/v1/machineconfigpools',
      '/apis/config.openshift.io/v1/consoles/cluster',
      '/api/v1/namespaces/openshift-config-managed/configmaps/default-ingress-cert',
    ]);
  });

  const cases: readonly { name: string; answer: Answer; want: object }[] = [
    {
      name: '404 that names an object',
      answer: json(404, { kind: 'Status', details: { name: 'version', kind: 'clusterversions' } }),
      want: { kind: 'absent', isKindServed: true },
    },
    {
      name: '404 without a name',
      answer: json(404, { kind: 'Status', details: {} }),
      want: { kind: 'absent', isKindServed: false },
    },
    {
      name: '404 in plain text',
      answer: (_request, response) => {
        response.writeHead(404, { 'content-type': 'text/plain' }).end('404 page not found\n');
      },
      want: { kind: 'absent', isKindServed: false },
    },
    { name: '401', answer: json(401, { kind: 'Status' }), want: fault('unauthorized', 'HTTP 401') },
    { name: '403', answer: json(403, { kind: 'Status' }), want: fault('forbidden', 'HTTP 403') },
    { name: '429', answer: json(429, { kind: 'Status' }), want: fault('error-answer', 'HTTP 429') },
    { name: '503', answer: json(503, { kind: 'Status' }), want: fault('error-answer', 'HTTP 503') },
    {
      name: 'a page of somebody else',
      answer: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Please log in</html>');
      },
      want: fault('error-answer', 'the response is not from a Kubernetes API'),
    },
    {
      name: 'JSON that is cut',
      answer: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"kind":');
      },
      want: fault('error-answer', 'the response is not from a Kubernetes API'),
    },
    {
      name: 'a body above the size limit',
      answer: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        endless(response);
      },
      want: fault('error-answer', 'the response is too large'),
    },
    {
      name: 'a redirect to another server, which would get the token',
      answer: (_request, response) => {
        response.writeHead(302, { location: 'https://127.0.0.1:1/' }).end();
      },
      want: fault('error-answer', 'HTTP 302'),
    },
    {
      name: 'a connection that is closed',
      answer: (request) => request.socket.destroy(),
      want: fault('no-answer', 'connection closed'),
    },
  ];
  it.each(cases)('distinguishes $name', async ({ answer, want }) => {
    expect(await askAt(await serve(answer))).toEqual(want);
  });

  it('distinguishes 401 from an expired client certificate', async () => {
    const port = await serve(json(401, {}));
    expect(await askAt(port, { present: new Date('2101-01-01T00:00:00Z') })).toEqual(
      fault('credentials-expired', expect.stringMatching(/^expired at 20\d\d-.*Z$/)),
    );
  });

  it('that never arrives is aborted when the command stops', async () => {
    const controller = new AbortController();
    const port = await serve(() => {
      controller.abort();
    });
    expect(await askAt(port, { stop: controller.signal })).toMatchObject({ kind: 'fault' });
  });
});

describe('a request for any object', () => {
  const widget = '/apis/example.com/v1/namespaces/default/widgets/one';

  async function sendTo(answer: Answer, request: ApiRequest, more: Partial<Trial> = {}): Promise<ApiAnswer> {
    const server = `https://127.0.0.1:${await serve(answer)}`;
    const cluster = { 'tls-server-name': apiName };
    const text = kubeconfigText({ server, caPem: authority.certPem, client: admin, cluster });
    return (await readerOf({ text, ...more })).send(request);
  }

  it('applies the text as it is', async () => {
    const seen: string[] = [];
    const answer: Answer = (request, response) => {
      request.on('data', (chunk: Buffer) => seen.push(chunk.toString()));
      request.on('end', () => {
        seen.push(`${request.method ?? ''} ${request.url ?? ''} ${request.headers['content-type'] ?? ''}`);
        json(201, { kind: 'Widget' })(request, response);
      });
    };
    const query = { fieldManager: 'sno-install', dryRun: 'All' };
    expect(await sendTo(answer, { path: widget, query, apply: 'big: 12345678901234567890\n' })).toEqual({
      kind: 'answer',
      status: 201,
      body: { kind: 'Widget' },
    });
    expect(seen).toEqual([
      'big: 12345678901234567890\n',
      `PATCH ${widget}?fieldManager=sno-install&dryRun=All application/apply-patch+yaml`,
    ]);
  });

  it('returns a refusal with its Status, and a 503 that is no JSON', async () => {
    const status = { kind: 'Status', reason: 'Conflict', code: 409 };
    expect(await sendTo(json(409, status), { path: widget })).toEqual({
      kind: 'answer',
      status: 409,
      body: status,
    });
    const down: Answer = (_request, response) => response.writeHead(503).end('service unavailable');
    expect(await sendTo(down, { path: '/apis/example.com/v1' })).toEqual({
      kind: 'answer',
      status: 503,
      body: undefined,
    });
  });

  it('reports HTTP 429 with Retry-After, and a success that is no object, as faults', async () => {
    const busy: Answer = (_request, response) =>
      response.writeHead(429, { 'retry-after': '1' }).end('too many requests');
    expect(await sendTo(busy, { path: widget, apply: '{}' })).toEqual(fault('error-answer', 'HTTP 429'));
    const page: Answer = (_request, response) => response.writeHead(200).end('<html>');
    expect(await sendTo(page, { path: widget })).toEqual(
      fault('error-answer', 'the response is not from a Kubernetes API'),
    );
    expect(
      await sendTo(
        (_request, response) => {
          endless(response);
        },
        { path: widget },
      ),
    ).toEqual(fault('error-answer', 'the response is too large'));
  });

  it('distinguishes 401 from an expired client certificate', async () => {
    expect(await sendTo(json(401, {}), { path: widget })).toEqual(fault('unauthorized', 'HTTP 401'));
    const present = new Date(Date.now() + 10 * 24 * 3_600_000);
    expect(await sendTo(json(401, {}), { path: widget }, { present })).toMatchObject(
      fault('credentials-expired', expect.stringMatching(/^expired at /)),
    );
  });

  it('without an answer is aborted when the command stops', async () => {
    const stop = new AbortController();
    const answer: Answer = () => {
      stop.abort();
    };
    expect(await sendTo(answer, { path: widget, apply: '{}' }, { stop: stop.signal })).toMatchObject({
      kind: 'fault',
    });
  });
});

describe('TLS', () => {
  const ok = json(200, { kind: 'ClusterVersion' });

  it('of another authority is not trusted, though it has the same name', async () => {
    const other = await throwawayAuthority('another-signer');
    const pair = await other.issue({ commonName: apiName, names: [apiName] });
    const detail = 'signed by an unknown authority';

    expect(await askAt(await serve(ok, pair))).toEqual(fault('wrong-authority', detail));
    const sameName = await throwawayAuthority('kube-apiserver-lb-signer.');
    expect(await askAt(await serve(ok), { caPem: sameName.certPem })).toEqual(
      fault('wrong-authority', detail),
    );
  });

  it.each([
    { days: [-3, -1] as const, want: fault('certificate-expired', 'certificate has expired') },
    { days: [1, 2] as const, want: fault('clock', 'certificate is not valid yet') },
  ])('reports a certificate that is valid from day $days.0 to $days.1', async ({ days, want }) => {
    const pair = await authority.issue({ commonName: apiName, names: [apiName], days });
    expect(await askAt(await serve(ok, pair))).toEqual(want);
  });

  it('reports a certificate for other names', async () => {
    const pair = await authority.issue({ commonName: 'other', names: ['api.site2.example.com'] });
    expect(await askAt(await serve(ok, pair))).toEqual(
      fault('wrong-name', 'certificate is not valid for this name'),
    );
  });

  it('reports a server without TLS', async () => {
    const server = createServer((socket) => socket.end('220 mail.example.com\r\n'));
    onTestFinished(() => void server.close());
    expect(await askAt(await listeningPort(server))).toEqual(
      fault('error-answer', 'server does not use TLS'),
    );
  });
});

describe('no API', () => {
  it('at a closed port', async () => {
    const server = createServer();
    const port = await listeningPort(server);
    server.close();
    await once(server, 'close');
    expect(await askAt(port)).toEqual(fault('no-answer', 'connection refused'));
  });

  it('at an unknown host name', async () => {
    // A label above 63 characters (RFC 1035 §2.3.4) is invalid, so no name server is asked.
    const server = `https://${'a'.repeat(64)}.example.com:6443`;
    const reader = await readerOf({ text: kubeconfigText({ server }) });
    expect(await reader.nodes()).toMatchObject({ kind: 'fault', fault: { kind: 'unknown-host' } });
  });

  it('for a user with a missing credential plugin', async () => {
    const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: '/nonexistent' };
    const reader = await readerOf({
      text: kubeconfigText({ server: 'https://127.0.0.1:1', user: { exec } }),
      isTrusted: true,
    });
    expect(await reader.nodes()).toEqual(fault('kubeconfig', 'a program named in it does not exist'));
  });
});
