import type { RenewOptions } from '../options.js';
import type { JobsOption } from './jobs-option.js';

/** What commands of `fleet` are told on the command line. */
export interface FleetOptions {
  /** Names of sites, with `*` for any part of one; all sites when empty. */
  readonly only: readonly string[];
}

/** What `fleet create` is told on the command line. */
export interface CreateFleetOptions
  extends FleetOptions, JobsOption, Pick<RenewOptions, 'renew' | 'renewBefore'> {
  readonly failFast?: true;
  /** `s3://bucket/prefix`, in the place of folders. */
  readonly store?: string;
  /** `INDEX/NUMBER`. */
  readonly shard?: string;
}

/** What `fleet collect` is told on the command line. */
export interface CollectOptions extends FleetOptions {
  readonly store: string;
}

/** What `fleet job` is told on the command line. */
export interface JobOptions {
  readonly shards: string;
  readonly store: string;
  readonly image: string;
  readonly name: string;
  readonly namespace?: string;
  /** Threads of a pod. */
  readonly jobs?: string;
  readonly identitySecret?: string;
  readonly apply?: true;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}
