import type { Connection } from './connections.js';
import type { Exchange } from './send-file.js';

/** Connections with their answers under way. */
export interface Answering {
  /** Follows a new connection until it is closed. */
  open(connection: Connection): void;
  /** Counts an answer as under way until it has ended. */
  begin(exchange: Exchange): void;
  has(connection: Connection): boolean;
}

/**
 * Closes a connection on which no answer is under way for `quietMs`. Node's own timers do not: bytes that are no request, such as one line
 * end at a time, start them again. Several requests of one connection may wait behind each other.
 */
export function answering(quietMs: number): Answering {
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
    begin: ({ request, reply }) => {
      const { socket } = request.raw;
      add(socket, 1);
      reply.raw.once('close', () => {
        add(socket, -1);
      });
    },
    has,
  };
}
