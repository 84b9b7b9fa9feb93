import type { JudgedPayload } from '../../serve/media/payload-warnings.js';
import type { GlobalOptions, RecipientOptions } from '../options.js';
import type { SiteFolder } from '../../serve/site-folders.js';

export interface ServeOptions {
  /** The downloaded live ISO. */
  readonly iso?: string;
  /** The payload for the sites that install from it. */
  readonly payload?: string;
  /** Folder of a fleet. Its fleet.yaml contains the settings. */
  readonly fleet?: string;
  /** The object store with the outputs of the fleet. */
  readonly store?: string;
  /** `ADDRESS:PORT`, or `:PORT` for all addresses. */
  readonly listen?: string;
  /** The URL under which machines reach the server. */
  readonly url?: string;
  /** The token file. */
  readonly tokens?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly http?: true;
  readonly minimal?: true;
  readonly once?: true;
  /** Whether outdated media are refused. */
  readonly refuseOutdated?: true;
  /** Whether a live ISO of another release or system is accepted. */
  readonly force?: true;
  readonly liveKarg: readonly string[];
  readonly printUrls?: true;
  /** Sites whose tokens are revoked. */
  readonly revoke: readonly string[];
  /** Whether to revoke the token of the status page. */
  readonly revokePage?: true;
  readonly maxConnections: string;
  readonly maxConnectionsPerClient: string;
  readonly maxRequestsPerSecond: string;
  readonly idleTimeout: string;
  readonly totalTimeout: string;
  readonly drainTimeout: string;
}

export type ServeCommandLine = GlobalOptions & RecipientOptions & ServeOptions;

/** The store of a fleet. */
export interface StorePlace {
  /** `s3://bucket/prefix`. */
  readonly address: string;
  /** The output folder, which may contain the fleet key. */
  readonly outputs: string;
}

/** The site folders and the effective options. */
export interface ServeConfig {
  /** The command line, completed from fleet.yaml. */
  readonly options: ServeCommandLine;
  readonly folders: readonly string[];
  /** All sites in the table of a fleet. A site without outputs is served as soon as it has some. */
  readonly awaited?: readonly SiteFolder[];
  /** The store with the outputs; absent if they are in folders. */
  readonly store?: StorePlace;
  /** Compares the payloads that the sites of a fleet name with that of the server, whose manifest has this text. */
  readonly payloadsFor?: (text: string | undefined) => readonly JudgedPayload[];
}
