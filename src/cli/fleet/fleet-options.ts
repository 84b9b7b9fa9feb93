import type { SiteSelection } from '../../fleet/table/index.js';
import type { RenewOptions } from '../options.js';
import type { JobsOption } from './jobs-option.js';

export type FleetOptions = SiteSelection;

export interface CreateFleetOptions
  extends FleetOptions, JobsOption, Pick<RenewOptions, 'renew' | 'renewBefore'> {
  readonly failFast?: true;
  /** `s3://bucket/prefix`, instead of folders. */
  readonly store?: string;
  /** The downloaded live ISO. */
  readonly iso?: string;
  /** Whether an ISO of another release is accepted. */
  readonly force?: true;
  /** With `iso`: the payload, if it is not where the configs name it; false for ISOs without it. */
  readonly payload?: string | false;
  /** `INDEX/NUMBER`. */
  readonly shard?: string;
  /** Read the shard from its pack in the store. */
  readonly packed?: true;
  readonly fleetId?: string;
}

export interface CollectOptions extends FleetOptions {
  readonly store: string;
}

export interface PackOptions {
  readonly store: string;
  readonly shards: string;
  /** Recipients of the packs. */
  readonly recipient?: readonly string[];
  /** `s3://bucket/prefix`; false for no index. */
  readonly index?: string | false;
}

export interface JobOptions extends FleetOptions {
  readonly shards: string;
  readonly store: string;
  readonly image: string;
  readonly name: string;
  readonly namespace?: string;
  /** Threads per pod. */
  readonly jobs?: string;
  /** Default: the ID of the key in the output folder. */
  readonly fleetId?: string;
  /** Kueue's LocalQueue. */
  readonly queue?: string;
  readonly serviceAccount?: string;
  readonly apply?: true;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}
