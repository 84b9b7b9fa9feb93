import type { AgeKeys } from '../../formats/age.js';
import type { StdinRead } from '../../disk/outside/standard-input.js';
import type { Renewal } from '../../run/effects/clock.js';
import type { Variables } from '../../disk/environment.js';
import type { TargetName } from '../../run/targets.js';
import type { KnownNames } from '../site-problems.js';

/**
 * What is the same for all sites of a run of `fleet create`. It goes to threads as a copy in memory, keys that open states among it, and
 * never to the disk.
 */
export interface SiteOrder {
  /** The folder of fleet.yaml. */
  readonly dir: string;
  readonly target: TargetName;
  /** Folders as problems name them, from `dir`. */
  readonly base: string;
  readonly overrides: string;
  readonly outputs: string;
  /** To whom all states are encrypted. */
  readonly recipients: readonly string[];
  readonly encryptOutputs?: boolean;
  readonly known: KnownNames;
  /** What opens encrypted states. */
  readonly keys: AgeKeys;
  readonly variables: Variables;
  /** Whether each thread draws RSA keys itself: there are new sites enough to keep all threads at work. */
  readonly drawsInThreads?: boolean;
  /** What the standard input holds, where configs name it. */
  readonly stdin?: { readonly reader: string; readonly read: StdinRead };
  /** What `--offline-files` says: a URL, or the absolute path of a folder. */
  readonly offlineFiles?: string;
  /** When certificates are issued anew although those that are there serve. */
  readonly renewal?: Renewal;
  readonly command: string;
  readonly present: Date;
  readonly templatesFolder: string;
  /** Which build of the program this is. */
  readonly program?: string;
  /** Of the hashes in records, hex. */
  readonly recordKey: string;
}
