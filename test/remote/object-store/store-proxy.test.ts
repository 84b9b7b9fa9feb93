import { createServer } from 'node:https';

import { expect, onTestFinished, test } from 'vitest';

import { openStore, type ObjectStore } from '../../../src/remote/object-store/object-store.js';
import { freePort, listeningPort } from '../../support/ports.js';
import { tunnelProxy } from '../../support/tunnel-proxy.js';
import { throwawayAuthority } from '../kubernetes/throwaway-tls.js';

/** An https store behind a proxy, which answers each CONNECT with this status. */
async function storeBehind(status: number): Promise<{
  readonly tunnels: readonly string[];
  readonly proxyUrl: string;
  readonly authoritiesPem: string;
}> {
  const authority = await throwawayAuthority('store-ca');
  const { certPem: cert, keyPem: key } = await authority.issue({
    commonName: 'store',
    names: ['s3.example.com'],
  });
  const server = createServer({ cert, key }, (request, answer) => {
    request.resume().on('end', () => answer.writeHead(200, { etag: '"1"' }).end('contents'));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port, tunnels } = await tunnelProxy(await listeningPort(server), status);
  return {
    tunnels,
    proxyUrl: `http://user:pass%40word@127.0.0.1:${port}`,
    authoritiesPem: authority.certPem,
  };
}

function client(httpsProxy: string, authoritiesPem: string, noProxy = ''): ObjectStore {
  const store = openStore({
    address: {
      bucketUrl: 'https://s3.example.com/sites',
      stsUrl: 'https://s3.example.com/',
      region: 'us-east-1',
      prefix: '',
    },
    credentials: { kind: 'keys', keys: { accessKeyId: 'access', secretAccessKey: 'secret' } },
    run: () => Promise.reject(new Error('nothing is run')),
    proxy: { httpsProxy, noProxy },
    authoritiesPem,
    patience: {
      patienceMs: 0,
      end: new AbortController().signal,
      randomNumber: () => 0,
      elapsedMs: () => 0,
    },
    now: () => new Date(),
  });
  onTestFinished(store.close);
  return store;
}

test('reads objects through the proxy, with one tunnel for several requests', async () => {
  const { tunnels, proxyUrl, authoritiesPem } = await storeBehind(200);
  const store = client(proxyUrl, authoritiesPem);
  for (const name of ['a', 'b', 'c']) expect((await store.read(name))?.bytes.toString()).toBe('contents');
  expect(tunnels).toEqual([`s3.example.com:443 Basic ${Buffer.from('user:pass@word').toString('base64')}`]);
});

test.each([
  [407, 'proxy: invalid credentials'],
  [403, 'proxy: connection rejected (HTTP 403)'],
])('a proxy that answers %i is a problem', async (status, message) => {
  const { proxyUrl, authoritiesPem } = await storeBehind(status);
  await expect(client(proxyUrl, authoritiesPem).read('a')).rejects.toMatchObject({
    kind: 'unreachable',
    message,
  });
});

test('a proxy that does not listen, and a store that is not trusted, are problems', async () => {
  const { proxyUrl } = await storeBehind(200);
  const { certPem: other } = await throwawayAuthority('other-ca');
  await expect(client(proxyUrl, other).read('a')).rejects.toMatchObject({ kind: 'unreachable' });
  const closed = client(`http://127.0.0.1:${await freePort()}`, other);
  await expect(closed.read('a')).rejects.toMatchObject({ message: 'proxy: connection refused' });
});

test('a host of NO_PROXY is connected directly', async () => {
  const { tunnels, proxyUrl, authoritiesPem } = await storeBehind(200);
  await client(proxyUrl, authoritiesPem, 'example.com')
    .read('a')
    .catch(() => undefined);
  expect(tunnels).toEqual([]);
});
