import type { ByteRange } from '../formats/disk-image.js';
import { type RequestHeaders, matchesIfRange } from './answers/range-response.js';
import type { Connection } from './answers/connections.js';
import type { Exchange } from './answers/send-file.js';
import type { ServedFile } from './answers/served-file.js';
import { type Coverage, clipCoverage, addRange, mergeCoverages } from './coverage.js';
import type { LiveSites } from './live-sites.js';
import type { SiteFileName } from './media-urls.js';
import type { ServedSite } from './site-catalogue.js';
import { downloadTracker } from './download-tracker.js';

export interface DownloadedFile {
  readonly site: ServedSite;
  readonly name: SiteFileName;
  readonly file: ServedFile;
}

/** Invalidates a one-download token as soon as a client has confirmed that it received the whole file. */
export interface OneDownload {
  /** Records a new request on a connection: it confirms that the client received the previous responses on this connection. */
  onRequest(connection: Connection): void;
  /** Tracks a response from its start. */
  follow(exchange: Exchange, given: DownloadedFile): TrackedResponse;
}

export interface TrackedResponse {
  /**
   * Resolves when a piece may be sent. A piece that would complete the file waits while another client holds it unconfirmed and
   * still connected. So only one of several parallel downloads completes.
   */
  turn(piece: ByteRange): Promise<void>;
  onPiece(piece: ByteRange): void;
}

/** A response that was written completely to the socket, without confirmation by the client. */
interface Finished extends DownloadedFile {
  readonly key: string;
  readonly socket: Connection;
  /** The ranges that the client has once the response is confirmed. */
  readonly given: Coverage;
}

/**
 * A response that was written completely to the socket may still be lost. A client confirms it by another request on the same
 * connection, or by closing the connection in order (FIN). A client that lost power, or aborted with unread bytes, does neither.
 * Ranges count from the confirmation on. The ranges of an aborted response count when a later request resumes after them.
 */
export function oneDownload(sites: Pick<LiveSites, 'end'>): OneDownload {
  const received = downloadTracker();
  const handed = sentRanges();
  const turns = completingTurns();
  const finished = finishedAnswers((answers) => {
    for (const { key, given, file } of answers) for (const piece of given) received.onPiece(key, piece, file);
    for (const { key, site } of answers) if (received.isComplete(key)) sites.end(site);
  });
  return {
    onRequest: (connection) => {
      finished.arrived(connection);
      turns.release(connection);
    },
    follow: ({ request, reply }, { site, name, file }) => {
      const { socket } = request.raw;
      const key = [site.name, site.generation, name].join('\0');
      const state = { key, etag: file.etag };
      const { ip: client, method, headers } = request;
      let given = handed.had(state, { client, method, headers });
      waitForClient(socket);
      reply.raw.once('finish', () => {
        finished.add({ site, name, file, key, socket, given });
        // Close the server's side of keep-alive connections: the FIN of the client then confirms that everything arrived.
        const others = finished.of(key).filter((each) => each.file.etag === file.etag);
        const pieces = others.flatMap((each) => each.given);
        if (received.wouldComplete(key, pieces, file)) for (const each of others) each.socket.end();
      });
      return {
        turn: async (piece) => {
          if (received.wouldComplete(key, addRange(given, piece), file)) await turns.take(key, socket);
        },
        onPiece: (piece) => {
          given = addRange(given, piece);
          handed.onPiece(state, client, piece);
        },
      };
    },
  };
}

/** Tracks which connection holds the piece that completes a file. Others wait until it is confirmed or closed. */
function completingTurns() {
  const holders = new Map<string, Connection>();
  const waiting = new Set<() => void>();
  const release = (connection: Connection): void => {
    const held = [...holders].filter(([, holder]) => holder === connection);
    for (const [key] of held) holders.delete(key);
    if (held.length > 0 || connection.destroyed) for (const wake of [...waiting]) wake();
  };
  const followed = new WeakSet<Connection>();
  const follow = (connection: Connection): void => {
    if (followed.has(connection)) return;
    followed.add(connection);
    connection.once('close', () => {
      release(connection);
    });
  };
  return {
    release,
    take: async (key: string, connection: Connection): Promise<void> => {
      follow(connection);
      for (
        let holder = holders.get(key);
        holder !== undefined && holder !== connection && !connection.destroyed;
        holder = holders.get(key)
      ) {
        await new Promise<void>((resolve) => {
          const wake = (): void => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
      if (!connection.destroyed) holders.set(key, connection);
    },
  };
}

/** Unconfirmed responses by connection. */
function finishedAnswers(onArrived: (answers: readonly Finished[]) => void) {
  const waiting = new Map<Connection, readonly Finished[]>();
  const finishedOn = (connection: Connection): readonly Finished[] => {
    const answers = waiting.get(connection) ?? [];
    waiting.delete(connection);
    return answers;
  };
  const followed = new WeakSet<Connection>();
  const arrived = (connection: Connection): void => {
    onArrived(finishedOn(connection));
  };
  return {
    arrived,
    of: (key: string): readonly Finished[] => [...waiting.values()].flat().filter((each) => each.key === key),
    add: (answer: Finished): void => {
      const { socket } = answer;
      if (socket.destroyed) return;
      waiting.set(socket, [...(waiting.get(socket) ?? []), answer]);
      if (followed.has(socket)) return;
      followed.add(socket);
      socket.once('end', () => {
        arrived(socket);
      });
      socket.once('close', () => {
        finishedOn(socket);
      });
    },
  };
}

/**
 * With `Connection: close`, half-close the socket instead of destroying it. The client closes its side when it has received
 * everything.
 */
function waitForClient(socket: Connection): void {
  socket.destroySoon = () => {
    socket.end();
  };
}

interface ClientRequest {
  readonly client: string;
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** One version of a site's file. */
interface FileState {
  readonly key: string;
  readonly etag: string;
}

/** Byte ranges sent so far per file version and client, confirmed or not. */
interface SentRanges {
  onPiece(file: FileState, client: string, piece: ByteRange): void;
  /**
   * Returns the ranges that a request confirms. A request that resumes at a byte (`bytes=N-`) has the bytes before it, as far as
   * they were sent to this client. With `If-Range` and the entity tag, ranges sent to any client count (RFC 9110 §13.1.5).
   */
  had(file: FileState, request: ClientRequest): Coverage;
}

/** Clients tracked per file version. A machine may change its address, but not often. */
const mostClients = 16;

function sentRanges(): SentRanges {
  const byFile = new Map<string, Map<string, Coverage>>();
  const keyOf = ({ key, etag }: FileState): string => `${key}\0${etag}`;
  return {
    onPiece: (file, client, piece) => {
      const clients = byFile.get(keyOf(file)) ?? new Map<string, Coverage>();
      byFile.set(keyOf(file), clients.set(client, addRange(clients.get(client) ?? [], piece)));
      // A Map iterates in insertion order.
      const [oldest = client] = clients.keys();
      if (clients.size > mostClients) clients.delete(oldest);
    },
    had: (file, { client, method, headers }) => {
      const clients = byFile.get(keyOf(file));
      const end = method === 'GET' && matchesIfRange(headers, file.etag) ? resumeOffset(headers) : 0;
      if (clients === undefined || end === 0) return [];
      const handed = headers['if-range'] === undefined ? [clients.get(client) ?? []] : [...clients.values()];
      return clipCoverage(mergeCoverages(handed), end);
    },
  };
}

/** Returns the first byte of a resumed download; 0 for a new download or a bounded range. */
function resumeOffset({ range }: RequestHeaders): number {
  const [, from = '0'] = typeof range === 'string' ? (/^bytes=(\d+)-$/i.exec(range.trim()) ?? []) : [];
  return Number(from);
}
