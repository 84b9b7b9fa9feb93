import type { AioOptions, GlobalOptions } from '../../options.js';
import type { FleetOptions } from '../fleet-options.js';
import type { JobsOption } from '../jobs-option.js';

/** Options of a fleet comparison. */
export type ComparingFleet = GlobalOptions & AioOptions & FleetOptions & JobsOption;

export interface FleetGoldenOptions {
  /** The folder of the tree. */
  readonly out: string;
  readonly check?: true;
}

export interface FleetDiffOptions {
  /** A Git revision. */
  readonly against?: string;
  readonly sheet?: true;
}

export interface FleetRenderOptions {
  /** The folder of the tree. */
  readonly out: string;
}
