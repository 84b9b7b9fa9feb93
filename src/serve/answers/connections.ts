import type { FastifyInstance, FastifyRequest } from 'fastify';

/** A connection of a client. */
export type Connection = FastifyRequest['raw']['socket'];

/** What one server does at most. */
export interface ServerLimits {
  /** Connections at once, of all clients and of one address. */
  readonly connections: number;
  readonly connectionsPerClient: number;
  /** Requests a second of one address. */
  readonly requestsPerSecond: number;
  /** How long nothing may move on a connection. */
  readonly idleMs: number;
  /** How long one answer may take. */
  readonly totalMs: number;
  /** How long the handshake, and the head of a request, may take. */
  readonly headMs: number;
}

/**
 * The /64 of an IPv6 address; undefined for IPv4, also for an IPv4 address that is written as IPv6. One machine may use every address of its /64
 * (RFC 4291 §2.5.1).
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
 * Closes connections beyond the limits at once. The addresses of one IPv6 /64 together have half of all connections: a machine can use as many
 * of them as it likes, and a site's controllers often share one.
 */
export function holdConnections(
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

/** Counts by name. */
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
