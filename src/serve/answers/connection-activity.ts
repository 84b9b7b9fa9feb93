import type { Connection } from './connections.js';
import type { Exchange } from './send-file.js';

/** Tracks which connections have a response in progress. */
export interface ConnectionActivity {
  /** Tracks a new connection until it closes. */
  open(connection: Connection): void;
  /** Counts a response as in progress until it closes. */
  start(exchange: Exchange): void;
  has(connection: Connection): boolean;
}

/**
 * Closes a connection that has had no response in progress for `quietMs`. The timers of Node.js are not enough: a client restarts
 * them with any bytes, such as one line end at a time. A connection can have several pipelined requests, so responses are
 * counted.
 */
export function connectionActivity(quietMs: number): ConnectionActivity {
  const counts = new WeakMap<Connection, number>();
  const quiet = new WeakMap<Connection, NodeJS.Timeout>();
  const has = (connection: Connection): boolean => (counts.get(connection) ?? 0) > 0;
  const rest = (connection: Connection): void => {
    clearTimeout(quiet.get(connection));
    if (has(connection) || connection.destroyed) return;
    const timer = setTimeout(() => {
      connection.destroy();
    }, quietMs);
    quiet.set(connection, timer.unref());
  };
  const add = (connection: Connection, more: 1 | -1): void => {
    counts.set(connection, (counts.get(connection) ?? 0) + more);
    rest(connection);
  };
  return {
    open: (connection) => {
      rest(connection);
      connection.once('close', () => {
        clearTimeout(quiet.get(connection));
      });
    },
    start: ({ request, reply }) => {
      const { socket } = request.raw;
      add(socket, 1);
      reply.raw.once('close', () => {
        add(socket, -1);
      });
    },
    has,
  };
}
