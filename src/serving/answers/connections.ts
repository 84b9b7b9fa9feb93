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

/** Holds connections to their number: one too many is closed at once. */
export function holdConnections(
  server: Pick<FastifyInstance['server'], 'maxConnections' | 'on'>,
  { connections, connectionsPerClient }: ServerLimits,
): void {
  const open = new Map<string, number>();
  server.maxConnections = connections;
  server.on('connection', (socket) => {
    const client = socket.remoteAddress ?? '';
    const count = (open.get(client) ?? 0) + 1;
    open.set(client, count);
    socket.once('close', () => {
      const left = (open.get(client) ?? 1) - 1;
      if (left === 0) open.delete(client);
      else open.set(client, left);
    });
    if (count > connectionsPerClient) socket.destroy();
  });
}
