/** What `serve` is told on the command line. */
export interface ServeOptions {
  /** The live ISO as it was downloaded. */
  readonly iso?: string;
  /** `ADDRESS:PORT`, or `:PORT` for all addresses. */
  readonly listen: string;
  /** What machines reach the server by. */
  readonly url?: string;
  /** The file of tokens. */
  readonly tokens?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly http?: true;
  readonly minimal?: true;
  readonly once?: true;
  readonly liveKarg: readonly string[];
  readonly printUrls?: true;
  /** Names of sites whose tokens are taken back. */
  readonly revoke: readonly string[];
  readonly maxConnections: string;
  readonly maxConnectionsPerClient: string;
  readonly maxRequestsPerSecond: string;
  readonly idleTimeout: string;
  readonly totalTimeout: string;
  readonly drainTimeout: string;
}
