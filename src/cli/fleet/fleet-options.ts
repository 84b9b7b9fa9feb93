import type { SiteSelection } from '../../fleet/site-selection.js';
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
  /** `INDEX/NUMBER`. */
  readonly shard?: string;
}

export interface CollectOptions extends FleetOptions {
  readonly store: string;
}

export interface JobOptions {
  readonly shards: string;
  readonly store: string;
  readonly image: string;
  readonly name: string;
  readonly namespace?: string;
  /** Threads per pod. */
  readonly jobs?: string;
  readonly identitySecret?: string;
  readonly apply?: true;
  readonly kubeconfig?: string;
  readonly trustKubeconfig?: true;
}
