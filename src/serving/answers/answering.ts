import type { Connection } from './connections.js';
import type { Exchange } from './send-file.js';

/** On which connections answers are under way. */
export interface Answering {
  /** From now until the answer has ended. */
  begin(exchange: Exchange): void;
  has(connection: Connection): boolean;
}

/** Knows of none yet. Several requests of one connection may wait behind each other. */
export function answering(): Answering {
  const counts = new WeakMap<Connection, number>();
  const add = (connection: Connection, more: 1 | -1): void => {
    counts.set(connection, (counts.get(connection) ?? 0) + more);
  };
  return {
    begin: ({ request, reply }) => {
      const { socket } = request.raw;
      add(socket, 1);
      reply.raw.once('close', () => {
        add(socket, -1);
      });
    },
    has: (connection) => (counts.get(connection) ?? 0) > 0,
  };
}
