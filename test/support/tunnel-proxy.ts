import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

import { onTestFinished } from 'vitest';

import { listeningPort } from './ports.js';

/** A proxy that leads every tunnel to a port of this machine, or answers CONNECT with another status than 200. */
export async function tunnelProxy(
  port: number,
  status = 200,
): Promise<{ readonly port: number; readonly tunnels: readonly string[] }> {
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, client: Socket) => {
    tunnels.push(`${url} ${headers['proxy-authorization'] ?? ''}`.trim());
    if (status !== 200) {
      client.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1');
    void once(target, 'connect').then(() => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      client.pipe(target).pipe(client);
    });
    for (const socket of [client, target]) socket.on('error', () => undefined);
  });
  onTestFinished(() => {
    proxy.close();
  });
  return { port: await listeningPort(proxy), tunnels };
}
