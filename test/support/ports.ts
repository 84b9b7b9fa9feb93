import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Has a server listen on loopback, at a port that the system chooses; the port. */
export async function listeningPort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** A port of loopback that nothing listens on at the moment. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listeningPort(server);
  server.close();
  await once(server, 'close');
  return port;
}
