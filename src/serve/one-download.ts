import type { Stretch } from '../formats/disk-image.js';
import { type RequestHeaders, isIfRangeMet } from './answers/answer.js';
import type { Connection } from './answers/connections.js';
import type { Exchange } from './answers/send-file.js';
import type { ServedFile } from './answers/served-file.js';
import { type Coverage, clipped, covering, united } from './coverage.js';
import type { LiveSites } from './live-sites.js';
import type { SiteFileName } from './media-urls.js';
import type { ServedSite } from './site-catalogue.js';
import { visits } from './visits.js';

/** What is given out of a site. */
export interface GivenFile {
  readonly site: ServedSite;
  readonly name: SiteFileName;
  readonly file: ServedFile;
}

/** Ends tokens that are good for one download, as soon as a client has shown that it has all of it. */
export interface OneDownload {
  /** That a client asks something on a connection: it has what was answered there before. */
  onRequest(connection: Connection): void;
  /** Follows an answer that begins. */
  follow(exchange: Exchange, given: GivenFile): FollowedAnswer;
}

/** An answer whose pieces are followed. */
export interface FollowedAnswer {
  /**
   * Resolves when a piece may be given out. The piece with which a client would have all waits while another client has that piece and has
   * neither confirmed it nor gone away: of parallel downloads one completes.
   */
  turn(piece: Stretch): Promise<void>;
  onPiece(piece: Stretch): void;
}

/** An answer that the system took whole, and of which nobody knows yet whether it arrived. */
interface Finished extends GivenFile {
  readonly key: string;
  readonly socket: Connection;
  /** What its client has once it has arrived. */
  readonly given: Coverage;
}

/**
 * That all bytes of an answer were handed to the system says nothing of whether they arrived. Who has them asks for more on the same
 * connection, or closes it in order; who lost its power, or broke off with bytes that it did not read, does neither. So pieces count from
 * then on; those of an answer that broke off, once who goes on behind them has the rest.
 */
export function oneDownload(sites: Pick<LiveSites, 'end'>): OneDownload {
  const received = visits();
  const handed = handedOut();
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
        // Who keeps its connection for later is asked to close it, which says that all has arrived.
        const others = finished.of(key).filter((each) => each.file.etag === file.etag);
        const pieces = others.flatMap((each) => each.given);
        if (received.wouldComplete(key, pieces, file)) for (const each of others) each.socket.end();
      });
      return {
        turn: async (piece) => {
          if (received.wouldComplete(key, covering(given, piece), file)) await turns.take(key, socket);
        },
        onPiece: (piece) => {
          given = covering(given, piece);
          handed.onPiece(state, client, piece);
        },
      };
    },
  };
}

/** Which connection has the piece that completes a file; the others wait until it has confirmed or is closed. */
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

/** Answers that wait to have arrived, by their connections. */
function finishedAnswers(onArrived: (answers: readonly Finished[]) => void) {
  const waiting = new Map<Connection, readonly Finished[]>();
  const taken = (connection: Connection): readonly Finished[] => {
    const answers = waiting.get(connection) ?? [];
    waiting.delete(connection);
    return answers;
  };
  const followed = new WeakSet<Connection>();
  const arrived = (connection: Connection): void => {
    onArrived(taken(connection));
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
        taken(socket);
      });
    },
  };
}

/** The server does not close the connection of who wants it closed, but its own side of it: the client closes the other once it has all. */
function waitForClient(socket: Connection): void {
  socket.destroySoon = () => {
    socket.end();
  };
}

/** A request of a client for something. */
interface ClientRequest {
  readonly client: string;
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** A file of a site, in one state of it. */
interface FileState {
  readonly key: string;
  readonly etag: string;
}

/** What was handed out of files so far, to whom, whether or not it has arrived. */
interface HandedOut {
  onPiece(file: FileState, client: string, piece: Stretch): void;
  /**
   * What a request says that its client has: who goes on at a byte (`bytes=N-`) has what lies before it, as far as it was handed out; to
   * that client, or to anybody where the request names the entity tag of it (RFC 9110 §13.1.5).
   */
  had(file: FileState, request: ClientRequest): Coverage;
}

/** Clients of one file that are remembered: a machine may get another address, but not many. */
const mostClients = 16;

/** Nothing handed out yet. */
function handedOut(): HandedOut {
  const byFile = new Map<string, Map<string, Coverage>>();
  const keyOf = ({ key, etag }: FileState): string => `${key}\0${etag}`;
  return {
    onPiece: (file, client, piece) => {
      const clients = byFile.get(keyOf(file)) ?? new Map<string, Coverage>();
      byFile.set(keyOf(file), clients.set(client, covering(clients.get(client) ?? [], piece)));
      // A Map is in the order of insertion.
      const [oldest = client] = clients.keys();
      if (clients.size > mostClients) clients.delete(oldest);
    },
    had: (file, { client, method, headers }) => {
      const clients = byFile.get(keyOf(file));
      const end = method === 'GET' && isIfRangeMet(headers, file.etag) ? goesOnAt(headers) : 0;
      if (clients === undefined || end === 0) return [];
      const handed = headers['if-range'] === undefined ? [clients.get(client) ?? []] : [...clients.values()];
      return clipped(united(handed), end);
    },
  };
}

/** The byte at which a download goes on; 0 for what begins, or wants parts. */
function goesOnAt({ range }: RequestHeaders): number {
  const [, from = '0'] = typeof range === 'string' ? (/^bytes=(\d+)-$/i.exec(range.trim()) ?? []) : [];
  return Number(from);
}
