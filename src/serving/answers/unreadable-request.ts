import type { Answering } from './answering.js';
import type { Connection } from './connections.js';

/** Statuses of RFC 9110 and RFC 6585 for what Node.js cannot read as a request, by its codes; any other is a bad request. */
const statuses: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout'],
};

/**
 * Answers what is no request, or was not sent in time, and closes the connection; the status, or undefined for a client that has gone.
 * Where an answer is under way nothing is written, which would stand in its body: the connection is broken off, and the status for the log.
 */
export function answerUnreadable(
  error: Error & { readonly code?: string },
  socket: Connection,
  answering: Pick<Answering, 'has'>,
): number | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const [status, reason] = statuses[error.code ?? ''] ?? [400, 'Bad Request'];
  if (answering.has(socket)) socket.destroy();
  else socket.end(`HTTP/1.1 ${status} ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  return status;
}
