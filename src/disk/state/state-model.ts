import type { ClusterName } from '../../graph/context.js';
import type { LastRuns } from './last-run.js';

/** Data kept between runs. It contains every private key of the cluster. */
export interface State {
  /** Generated values by label, as in the state file; see `ValueSource`. */
  readonly generatedValues: Readonly<Record<string, string>>;
  /** Name of `generatedValues` in the file, if it has an older format. */
  readonly generatedValuesName?: string;
  /**
   * SHA-256 (hex) of each output as last written, by path. The state file has only those of files that users edit; the others are in the
   * record of the directory (`run-record.ts`).
   */
  readonly written: Readonly<Record<string, string>>;
  /** SHA-256 (hex) of the plain text of each encrypted output, by path. Empty if it must be encrypted again. From the record. */
  readonly sealed?: Readonly<Record<string, string>>;
  /** Environment variables and options that were inputs of the last run. */
  readonly environment: Readonly<Record<string, string>>;
  /** Cluster that the generated values belong to. Absent in states of earlier versions; the next run sets it. */
  readonly cluster?: ClusterName;
  /** Set if the generated values were edited since they were written. */
  readonly isAltered?: true;
  /** RFC 3339: start of the period in which the last Ignition config may be booted. Absent before the first one. */
  readonly bootableFrom?: string;
  /** RFC 3339: end of the period in which the last Ignition config may be booted. Absent before the first one. */
  readonly bootableUntil?: string;
  /** Recipients of the encrypted file, sorted. Absent in a plain file and with a passphrase. */
  readonly recipients?: readonly string[];
  /** SHA-256 (hex) of lasting generated values that are kept elsewhere, by label. If present, `generatedValues` contains none of them. */
  readonly externalValueHashes?: Readonly<Record<string, string>>;
  /** Labels of generated values that were removed permanently. */
  readonly pruned?: readonly string[];
  /** Set after the recipients of the state changed: the next run encrypts its outputs again. */
  readonly mustResealOutputs?: true;
  /** From the record. */
  readonly lastRuns: LastRuns;
}

export const emptyState: State = { generatedValues: {}, written: {}, environment: {}, lastRuns: {} };
