import type { ClusterName } from '../../graph/context.js';
import type { LastRuns } from './last-run.js';

/** What is kept between runs. It holds every private key: the file is the cluster's bundle of secrets. */
export interface State {
  /** Chance by label; see `Draws`. */
  readonly draws: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of each output as last written, by path. */
  readonly written: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the plain text of each output that is encrypted, by path; empty where it has to be encrypted anew. */
  readonly sealed?: Readonly<Record<string, string>>;
  /** Environment variables and options that were inputs of the last run. */
  readonly environment: Readonly<Record<string, string>>;
  /** Which cluster the draws are of; absent in states of earlier versions, which the next run names. */
  readonly cluster?: ClusterName;
  /** Whether somebody changed the draws since they were written. */
  readonly isAltered?: true;
  /** RFC 3339: from when the last Ignition config may be booted; absent before there was one. */
  readonly bootableFrom?: string;
  /** RFC 3339: until when the last Ignition config may be booted; absent before there was one. */
  readonly bootableUntil?: string;
  /** To whom the file is encrypted, sorted; absent in plain ones, and where a passphrase opens it. */
  readonly recipients?: readonly string[];
  /** SHA-256 (hex) of draws that last and are kept elsewhere, by label; with it, no such draw is here. */
  readonly elsewhere?: Readonly<Record<string, string>>;
  /** Labels of draws that were taken out for good. */
  readonly pruned?: readonly string[];
  /** The last run of each target, by its name. */
  readonly lastRuns: LastRuns;
}

/** The state before the first run. */
export const emptyState: State = { draws: {}, written: {}, environment: {}, lastRuns: {} };
