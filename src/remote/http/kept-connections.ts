import { Agent, type ClientRequestArgs } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import type { Duplex } from 'node:stream';

import { timeLimit } from '../../core/time-limit.js';

export type KeptConnections = Agent;

/** Opens a TLS connection. Rejects with any error if the signal aborts. */
export type OpenConnection = (signal: AbortSignal) => Promise<Duplex>;

export interface KeptConnectionOptions {
  /** Opens a connection for https. */
  readonly open: OpenConnection;
  /** Time to open a connection for https. */
  readonly connectMs: number;
  /** Default: unlimited. */
  readonly maxSockets?: number;
}

/** Connections to the server of a URL that are used for several requests. `destroy` closes them, and interrupts those that are being opened. */
export function keptConnections(
  { protocol }: URL,
  { open, connectMs, maxSockets = Infinity }: KeptConnectionOptions,
): KeptConnections {
  const kept = { keepAlive: true, maxSockets };
  return protocol === 'http:' ? new Agent(kept) : new OpeningAgent(kept, open, connectMs);
}

class OpeningAgent extends SecureAgent {
  readonly #open: OpenConnection;
  readonly #connectMs: number;
  readonly #stop = new AbortController();

  constructor(
    kept: { readonly keepAlive: boolean; readonly maxSockets: number },
    open: OpenConnection,
    connectMs: number,
  ) {
    super(kept);
    this.#open = open;
    this.#connectMs = connectMs;
  }

  override createConnection(
    _options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): null {
    const { signal, release } = timeLimit(this.#stop.signal, this.#connectMs);
    this.#open(signal)
      .finally(release)
      .then(
        (socket) => callback?.(null, socket),
        // Node.js ignores the stream of an error.
        (error: unknown) =>
          callback?.(error instanceof Error ? error : new Error('connection failed'), undefined as never),
      );
    return null;
  }

  override destroy(): void {
    this.#stop.abort();
    super.destroy();
  }
}
