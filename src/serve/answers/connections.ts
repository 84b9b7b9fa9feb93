import type { FastifyInstance, FastifyRequest } from 'fastify';

export type Connection = FastifyRequest['raw']['socket'];

export interface ServerLimits {
  /** Concurrent connections: all clients together, and per client address. */
  readonly connections: number;
  readonly connectionsPerClient: number;
  /** Requests per second of one client address. */
  readonly requestsPerSecond: number;
  /** Idle timeout of a connection. */
  readonly idleMs: number;
  /** Timeout of one response. */
  readonly totalMs: number;
  /** Timeout of the TLS handshake, and of the request head. */
  readonly headMs: number;
}

/**
 * Returns the /64 prefix of an IPv6 address. Returns undefined for IPv4 and IPv4-mapped addresses. One machine may use every
 * address of its /64 (RFC 4291 §2.5.1).
 */
export function networkOf(address: string): string | undefined {
  if (!address.includes(':') || /^::ffff:[\d.]+$/i.test(address)) return undefined;
  const [head = '', tail = ''] = address.replace(/%.*/, '').split('::');
  const [before, after] = [head, tail].map((text) => text.split(':').filter((group) => group !== ''));
  const groups = [...(before ?? []), ...Array.from({ length: 8 }, () => '0')].slice(
    0,
    8 - (after?.length ?? 0),
  );
  return [...groups, ...(after ?? [])].slice(0, 4).join(':');
}

/**
 * Closes connections beyond the limits immediately. The addresses of one IPv6 /64 share half of all connections: one machine can
 * use any number of these addresses, and the controllers of a site often share a /64.
 */
export function limitConnections(
  server: Pick<FastifyInstance['server'], 'maxConnections' | 'on'>,
  { connections, connectionsPerClient }: Pick<ServerLimits, 'connections' | 'connectionsPerClient'>,
): void {
  const [ofClient, ofNetwork] = [counts(), counts()];
  const perNetwork = Math.max(connectionsPerClient, Math.ceil(connections / 2));
  server.maxConnections = connections;
  server.on('connection', (socket) => {
    const client = socket.remoteAddress ?? '';
    const network = networkOf(client);
    const isTooMany = ofClient.add(client) > connectionsPerClient;
    const isNetworkFull = network !== undefined && ofNetwork.add(network) > perNetwork;
    socket.once('close', () => {
      ofClient.remove(client);
      if (network !== undefined) ofNetwork.remove(network);
    });
    if (isTooMany || isNetworkFull) socket.destroy();
  });
}

function counts() {
  const open = new Map<string, number>();
  return {
    /** Returns the new count. */
    add: (name: string): number => {
      const count = (open.get(name) ?? 0) + 1;
      open.set(name, count);
      return count;
    },
    remove: (name: string): void => {
      const left = (open.get(name) ?? 1) - 1;
      if (left === 0) open.delete(name);
      else open.set(name, left);
    },
  };
}
