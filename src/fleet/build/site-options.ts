import type { AgeKeys } from '../../formats/age.js';
import type { StdinRead } from '../../disk/external-files/standard-input.js';
import type { Renewal } from '../../run/effects/clock.js';
import type { Variables } from '../../disk/environment.js';
import type { TargetName } from '../../run/targets.js';
import type { FleetText } from '../table/fleet-file.js';
import type { IsoPayloads } from './iso-payloads.js';
import type { PackedFiles } from '../table/packed-files.js';
import type { KnownNames } from '../table/site-problems.js';

/** The live ISO of `fleet create --iso`. */
export interface LiveIsoOptions {
  readonly path: string;
  readonly sha256: string;
  /** Whether an ISO of another release is accepted. */
  readonly force: boolean;
  /** False if no payload is appended to the ISOs. */
  readonly payloads: IsoPayloads | false;
}

/**
 * Options that all sites of a `fleet create` run share. Worker threads get a copy in memory. It contains keys that decrypt states and is
 * never written to disk.
 */
export interface SiteOptions {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly target: TargetName;
  /** Folder relative to `dir`, as problems show it. */
  readonly base: string;
  readonly overrides: string;
  readonly classes: readonly FleetText[];
  readonly raw: readonly FleetText[];
  readonly outputs: string;
  /** Folder that the folders of sites must not lead out of. Default: `dir` */
  readonly within?: string;
  /** Input files in memory. Default: those below `dir`. */
  readonly packed?: PackedFiles;
  /** Age recipients of all states. */
  readonly recipients: readonly string[];
  readonly encryptOutputs?: boolean;
  readonly known: KnownNames;
  /** Marks of the secrets; see `Fleet`. */
  readonly secretMarks: Readonly<Record<string, string>>;
  /** Keys that decrypt existing states. */
  readonly keys: AgeKeys;
  readonly variables: Variables;
  /** Whether each thread generates RSA keys itself. Set if there are enough new sites to keep all threads busy. */
  readonly generatesKeysInThreads?: boolean;
  /** Content of standard input, if a config refers to it. */
  readonly stdin?: { readonly reader: string; readonly read: StdinRead };
  /** Value of `--offline-files`: a URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** The live ISO for an ISO of each site. */
  readonly iso?: LiveIsoOptions;
  /** When to reissue certificates that are still valid. */
  readonly renewal?: Renewal;
  readonly command: string;
  readonly present: Date;
  /** Whether this host is in FIPS mode; see `RunOptions`. */
  readonly isFipsHost?: boolean;
  readonly templatesFolder: string;
  /** Build ID of the program. */
  readonly program?: string;
  /** HMAC key of the fingerprints in records, hex. */
  readonly recordKey: string;
}
