import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Listens on loopback at a port that the system chooses. Returns the port. */
export async function listeningPort(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/**
 * An unused loopback port outside the range that Linux assigns automatically (ip_local_port_range of ip-sysctl(7): 32768 and
 * up) and below the node ports of Kubernetes. It is still free when a program listens on it later or after a restart.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort);
    if (await isFree(port)) return port;
  }
}

const firstPort = 14_000;
const lastPort = 30_000;

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
