import type { Stretch } from '../media/disk-image.js';
import { isIfRangeMet, type RequestHeaders } from './answers/answer.js';
import { clipped, covering, type Coverage } from './coverage.js';

/** A request of a client for something. */
export interface ClientRequest {
  readonly client: string;
  readonly method: string;
  readonly headers: RequestHeaders;
}

/** A file of a site, in one state of it. */
export interface FileState {
  readonly key: string;
  readonly etag: string;
}

/** What was handed out of files so far, to whom, whether or not it has arrived. */
export interface HandedOut {
  onPiece(file: FileState, client: string, piece: Stretch): void;
  /**
   * What a request says that its client has: who goes on at a byte (`bytes=N-`) has what lies before it, as far as it was handed out; to
   * that client, or to anybody where the request names the entity tag of it (RFC 9110 §13.1.5).
   */
  had(file: FileState, request: ClientRequest): Coverage;
}

/** Nothing handed out yet. */
export function handedOut(): HandedOut {
  const byFile = new Map<string, Map<string, Coverage>>();
  const keyOf = ({ key, etag }: FileState): string => `${key}\0${etag}`;
  return {
    onPiece: (file, client, piece) => {
      const clients = byFile.get(keyOf(file)) ?? new Map<string, Coverage>();
      byFile.set(keyOf(file), clients.set(client, covering(clients.get(client) ?? [], piece)));
    },
    had: (file, { client, method, headers }) => {
      const clients = byFile.get(keyOf(file));
      const end = method === 'GET' && isIfRangeMet(headers, file.etag) ? goesOnAt(headers) : 0;
      if (clients === undefined || end === 0) return [];
      const handed = headers['if-range'] === undefined ? [clients.get(client) ?? []] : [...clients.values()];
      return clipped(handed.flat().reduce<Coverage>(covering, []), end);
    },
  };
}

/** The byte at which a download goes on; 0 for what begins, or wants parts. */
function goesOnAt({ range }: RequestHeaders): number {
  const [, from = '0'] = typeof range === 'string' ? (/^bytes=(\d+)-$/i.exec(range.trim()) ?? []) : [];
  return Number(from);
}
