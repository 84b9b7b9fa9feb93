import type { Connection } from './connections.js';

/** The part of a response of node:http that tells its end. */
interface ClosingResponse {
  once(event: 'close', listener: () => void): unknown;
}

/** Starts the responses of a connection one after the other. */
export interface OneResponse {
  /** Calls `start` now, or after the responses to earlier requests of the connection. */
  start(connection: Connection, response: ClosingResponse, start: () => void): void;
}

/** A request whose response has not started. */
interface Waiting {
  readonly response: ClosingResponse;
  readonly start: () => void;
}

/**
 * Node.js emits every pipelined request at once, and each response would keep a piece of its file in memory. Here the others wait without a
 * buffer, and the connection is not read until they are answered.
 */
export function oneResponse(): OneResponse {
  const queues = new WeakMap<Connection, Waiting[]>();
  const answer = (connection: Connection, queue: Waiting[], { response, start }: Waiting): void => {
    response.once('close', () => {
      const next = queue.shift();
      if (next !== undefined) answer(connection, queue, next);
      else {
        queues.delete(connection);
        connection.resume();
      }
    });
    start();
  };
  return {
    start: (connection, response, start) => {
      const queue = queues.get(connection);
      if (queue === undefined) {
        const own: Waiting[] = [];
        queues.set(connection, own);
        answer(connection, own, { response, start });
        return;
      }
      // Only while requests wait, so that the end of other connections is noticed at once.
      if (queue.push({ response, start }) === 1) pauseWhile(connection, () => queue.length > 0);
    },
  };
}

/** The parser of Node.js resumes a connection after each request (lib/_http_server.js, parserOnMessageComplete). */
function pauseWhile(connection: Connection, isWaiting: () => boolean): void {
  const again = (): void => {
    if (isWaiting()) connection.pause();
    else connection.off('resume', again);
  };
  connection.on('resume', again);
  connection.pause();
}
