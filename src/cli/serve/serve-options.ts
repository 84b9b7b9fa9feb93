import type { GlobalOptions, RecipientOptions } from '../options.js';
import type { SiteFolder } from '../../serve/site-folders.js';

/** What `serve` is told on the command line. */
export interface ServeOptions {
  /** The live ISO as it was downloaded. */
  readonly iso?: string;
  /** Folder of a fleet, whose sites are served as its fleet.yaml says. */
  readonly fleet?: string;
  /** `ADDRESS:PORT`, or `:PORT` for all addresses. */
  readonly listen?: string;
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
  /** Whether the token of the page is taken back. */
  readonly revokePage?: true;
  readonly maxConnections: string;
  readonly maxConnectionsPerClient: string;
  readonly maxRequestsPerSecond: string;
  readonly idleTimeout: string;
  readonly totalTimeout: string;
  readonly drainTimeout: string;
}

/** The command line of `serve`. */
export type ServeCommandLine = GlobalOptions & RecipientOptions & ServeOptions;

/** Where sites are, and what is told of how they are served. */
export interface ServePlaces {
  /** What the command line leaves out is what fleet.yaml says. */
  readonly options: ServeCommandLine;
  readonly folders: readonly string[];
  /** Sites of the table of a fleet: those without outputs are served once they have some. */
  readonly awaited?: readonly SiteFolder[];
}
