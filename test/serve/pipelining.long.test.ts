import { connect } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { success } from '../../src/core/result.js';
import { noAccess } from '../../src/disk/state/state-access.js';
import { servedBytes, type ServedFile } from '../../src/serve/answers/served-file.js';
import { downloadTracker } from '../../src/serve/download-tracker.js';
import { serverCounts } from '../../src/serve/metrics/server-counts.js';
import type { ServedSite } from '../../src/serve/site-catalogue.js';
import { folderConfigs } from '../../src/serve/site-configs.js';
import { startServer } from '../../src/serve/server.js';
import { freePort } from '../support/ports.js';
import { scaledMs } from '../support/time-scale.js';

const token = 'T0kenOfNorthOneWhichIsLongEnough';
const site: ServedSite = { name: 'north-1', dir: '/nowhere', generation: 0 };
const mebibyte = 1024 * 1024;

/** A server of one site with an endless medium; the limits allow more requests than the default. */
async function startedServer(): Promise<string> {
  const port = await freePort();
  const iso: ServedFile = {
    ...servedBytes(Buffer.from('a medium')),
    bytes: 1024 * mebibyte,
    read: (_offset, length, into = Buffer.alloc(length)) => Promise.resolve(into.subarray(0, length)),
  };
  const server = await startServer(
    {
      stock: { id: 'none', netboot: new Map() } as never,
      media: { of: () => Promise.resolve(success({ iso, overlay: () => Promise.resolve(iso) })) },
      sites: {
        find: (text) => (text === token ? site : undefined),
        all: () => [site],
        state: () => {
          throw new Error('the state is not needed');
        },
        refresh: () => Promise.resolve(),
        end: () => undefined,
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
      limits: {
        connections: 100,
        connectionsPerClient: 100,
        requestsPerSecond: 1_000_000,
        idleMs: 60_000,
        totalMs: 600_000,
        headMs: 15_000,
      },
      isOnce: false,
      now: () => new Date(),
      log: () => undefined,
      onProblems: () => undefined,
    },
    { host: '127.0.0.1', port },
  );
  onTestFinished(() => server.close(0));
  return `http://127.0.0.1:${port}/${token}/live.iso`;
}

test('connections that pipeline requests and read nothing take little memory and delay nobody', async () => {
  const url = await startedServer();
  await fetch(url, { method: 'HEAD' });
  const before = process.memoryUsage().rss;
  const request = `GET /${token}/live.iso HTTP/1.1\r\nHost: a\r\nRange: bytes=0-8388607\r\n\r\n`;
  for (let index = 0; index < 20; index += 1) {
    const client = connect({ host: '127.0.0.1', port: Number(new URL(url).port) });
    onTestFinished(() => void client.destroy());
    client.on('error', () => undefined);
    client.pause();
    client.write(request.repeat(2000));
  }
  const delays: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await (await fetch(url, { headers: { range: 'bytes=0-1048575' } })).arrayBuffer();
    delays.push(performance.now() - start);
  }
  const grown = (process.memoryUsage().rss - before) / mebibyte;
  console.log(
    `memory: ${Math.round(grown)} MiB, slowest response to others: ${Math.round(Math.max(...delays))} ms`,
  );
  expect(grown).toBeLessThan(200);
  expect(Math.max(...delays)).toBeLessThan(scaledMs(1000));
});
